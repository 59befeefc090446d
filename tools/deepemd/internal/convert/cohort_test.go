package convert

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// The means of a file's features go into the network's file, in which further exports
// leave them; the reference's names and averages of networks have no place for them.
func TestExportOfACohort(t *testing.T) {
	network := func(seed uint64) string {
		return cmdtest.Weights(t, func(f *weights.File) { *f = *resnettest.Weights([]int{8, 16, 24, 32}, 32, seed) })
	}
	in, dir := network(1), t.TempDir()
	features := func(name string, channels int) string {
		path := filepath.Join(dir, name)
		array := tensor.New(3, 2, channels)
		for i := range array.Data {
			array.Data[i] = float32(i%7) - 2
		}
		cmdtest.WriteNPY(t, path, array)
		cmdtest.WriteText(t, arrays.ListPath(path), `{"names": ["1", "2", "3"], "classes": ["cup", "jug", "cup"]}`)
		return path
	}
	run := func(args ...string) *weights.File {
		t.Helper()
		require.Value(cmdtest.Run(append([]string{"export"}, args...)...))(t)
		return cmdtest.Decode(t, args[1])
	}
	with, again := filepath.Join(dir, "with.safetensors"), filepath.Join(dir, "again.safetensors")
	for _, f := range []*weights.File{
		run(in, with, "--dtype", "i4", "--cohort", features("f.npy", 32)),
		run(with, again, "--dtype", "f32"),
	} {
		cohort, err := openset.ReadCohort(f.Tensors[openset.CohortTensor], 32)
		if err != nil || cohort.Classes() != 2 {
			t.Errorf("%s: a cohort %+v (%v), want one of two classes", f.Source, cohort, err)
		}
	}
	other := network(2)
	for _, flags := range [][]string{{"--module"}, {"--average", other}} {
		for name := range run(append([]string{with, filepath.Join(dir, "other.safetensors")}, flags...)...).Tensors {
			if strings.Contains(name, openset.CohortTensor) {
				t.Errorf("%v: there is a tensor %s", flags, name)
			}
		}
	}
	if _, err := cmdtest.Run("export", in, with, "--cohort", features("narrow.npy", 31)); err == nil || !strings.Contains(err.Error(), "features of 31 channels, the network's have 32") {
		t.Errorf("features of another network: %v", err)
	}
}
