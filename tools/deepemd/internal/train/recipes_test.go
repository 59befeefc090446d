package train

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer"
	"github.com/deepemd/deepemd/trainer/training"
)

// TestRecipesAreSettings reads every recipe as a run would.
func TestRecipesAreSettings(t *testing.T) {
	for _, name := range trainer.Recipes(trainer.Pretrain) {
		s := training.NewPretrain()
		f := trainingFlags{kind: trainer.Pretrain, recipe: name, data: []string{"d.zip"}, out: filepath.Join(t.TempDir(), "run")}
		if err := f.read(cluster.Alone{}, s, &s.Pictures); err != nil {
			t.Error(err)
		} else if err := s.Check(); err != nil {
			t.Errorf("recipe %s: %v", name, err)
		}
	}
	for _, name := range trainer.Recipes(trainer.Meta) {
		s := training.NewMeta()
		f := trainingFlags{kind: trainer.Meta, recipe: name, data: []string{"d.zip"}, out: filepath.Join(t.TempDir(), "run")}
		err := f.read(cluster.Alone{}, s, &s.Pictures)
		for i := range s.Stages {
			s.Stages[i].Size = max(s.Stages[i].Size, 84) // 0 is the size of the network to begin with
		}
		if err != nil {
			t.Error(err)
		} else if err := s.Check(); err != nil {
			t.Errorf("recipe %s: %v", name, err)
		}
	}
	f := trainingFlags{kind: trainer.Pretrain, recipe: "soup", out: filepath.Join(t.TempDir(), "run")}
	if err := f.read(cluster.Alone{}, training.NewPretrain(), &training.Pictures{}); err == nil || !strings.Contains(err.Error(), "cifar-fs") {
		t.Errorf("an unknown recipe gives %v, want the names of those there are", err)
	}
}
