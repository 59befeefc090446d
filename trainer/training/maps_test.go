package training_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"

	"github.com/deepemd/deepemd/trainer/internal/learn"
	"github.com/deepemd/deepemd/trainer/training"
)

// A teacher of maps teaches joined data, some without labels; its network has the heads with
// it, with which another run begins, and says who taught it.
func TestTeacherOfMaps(t *testing.T) {
	first, second, unlabelled, teacher := pictures(t), pictures(t), pictures(t), written(t, networktest.MobileNet())
	require.NoError(t, os.Rename(filepath.Join(second, "fox"), filepath.Join(second, "elk")))
	prepare := func(init string) *training.Ready {
		s := training.NewPretrain()
		s.Data, s.More, s.Unlabelled, s.Teacher, s.MapWeight, s.Init = first, []string{second}, []string{unlabelled}, teacher, 2, init
		s.Threads, s.RotationWeight, s.Average, s.Widths, s.Rate = 1, 0, 0, []int{4, 4, 4, 4}, 1e-9
		s.Stages = []learn.Stage{{Epochs: 1, Size: 16, Batch: 20}}
		ready := require.Value(s.Prepare(t.Context(), training.Work{}))(t)
		t.Cleanup(func() { ready.Close() })
		if s.Stages[0].Teacher == 0 {
			t.Error("nothing says what size the teacher is shown")
		}
		ready.Dir = t.TempDir()
		require.NoError(t, ready.Run(t.Context(), false))
		return ready
	}
	read := func(r *training.Ready) *weights.File {
		raw := require.Value(os.ReadFile(filepath.Join(r.Dir, training.LastFile)))(t)
		f := require.Value(weights.Decode("last", raw))(t)
		return f
	}
	run := prepare("")
	f := read(run)
	if len(f.Meta.Classes) != 3 || !strings.Contains(f.Meta.TrainedOn, "3 classes, taught the maps of made-up") {
		t.Errorf("it says %+v", f.Meta)
	}
	again := read(prepare(filepath.Join(run.Dir, training.LastFile)))
	for _, name := range []string{"fc.weight", "projection.weight"} {
		a, b := f.Tensors[name], again.Tensors[name]
		if a == nil || b == nil || a.Shape[0] != b.Shape[0] || a.Data[0]-b.Data[0] > 1e-6 || b.Data[0]-a.Data[0] > 1e-6 {
			t.Errorf("%s of a run that begins with another's is not the other's", name)
		}
	}
}
