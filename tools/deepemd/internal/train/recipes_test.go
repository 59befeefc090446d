package train

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/trainer/recipes"
	"github.com/deepemd/deepemd/trainer/training/meta"
	"github.com/deepemd/deepemd/trainer/training/pretrain"
)

// TestRecipesAreSettings reads every recipe as a run would.
func TestRecipesAreSettings(t *testing.T) {
	for _, name := range recipes.Names(recipes.Pretrain) {
		s := &pretrainSettings{Settings: pretrain.Defaults()}
		f := trainingFlags{kind: recipes.Pretrain, recipe: name, data: "d.zip", out: filepath.Join(t.TempDir(), "run")}
		if err := f.read(s, &s.pictureSource); err != nil {
			t.Error(err)
		} else if err := s.Check(); err != nil {
			t.Errorf("recipe %s: %v", name, err)
		}
	}
	for _, name := range recipes.Names(recipes.Meta) {
		s := &metaSettings{Settings: meta.Defaults()}
		f := trainingFlags{kind: recipes.Meta, recipe: name, data: "d.zip", out: filepath.Join(t.TempDir(), "run")}
		if err := f.read(s, &s.pictureSource); err != nil {
			t.Error(err)
		} else if err := s.Check(); err != nil {
			t.Errorf("recipe %s: %v", name, err)
		}
	}
	f := trainingFlags{kind: recipes.Pretrain, recipe: "soup", out: filepath.Join(t.TempDir(), "run")}
	if err := f.read(&pretrainSettings{}, &pictureSource{}); err == nil || !strings.Contains(err.Error(), "cifar-fs") {
		t.Errorf("an unknown recipe gives %v, want the names of those there are", err)
	}
}
