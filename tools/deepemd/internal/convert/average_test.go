package convert

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestExportAverage: each weight is the mean of the two networks', and the classes
// are those of both.
func TestExportAverage(t *testing.T) {
	mine := cmdtest.Weights(t, func(f *weights.File) { f.Meta.Classes = []string{"fox", "owl"} })
	dir := t.TempDir()
	another := func(name string, f *weights.File) string {
		path := filepath.Join(dir, name)
		file := require.Value(os.Create(path))(t)
		defer file.Close()
		require.NoError(t, f.Encode(file, weights.F32))
		return path
	}
	second := resnettest.Weights([]int{4, 6, 8, 10}, 32, 2)
	second.Meta.Classes = []string{"bat", "owl"}
	out := filepath.Join(dir, "mean.safetensors")
	require.Value(cmdtest.Run("export", mine, out, "--average", another("second.safetensors", second)))(t)
	first, mean := cmdtest.Decode(t, mine), cmdtest.Decode(t, out)
	if want := []string{"bat", "fox", "owl"}; !slices.Equal(mean.Meta.Classes, want) {
		t.Errorf("classes %v, want %v", mean.Meta.Classes, want)
	}
	for name, m := range mean.Tensors {
		a, b := first.Tensors[name].Data, second.Tensors[name].Data
		for i, v := range m.Data {
			if v != (a[i]+b[i])/2 {
				t.Fatalf("%s[%d] is %g of %g and %g", name, i, v, a[i], b[i])
			}
		}
	}

	wide := resnettest.Weights([]int{4, 6, 8, 12}, 32, 2)
	grey := resnettest.Weights([]int{4, 6, 8, 10}, 32, 2)
	grey.Meta.Mean = [3]float32{0.1, 0.1, 0.1}
	for path, want := range map[string]string{
		another("wide.safetensors", wide):      "widths [4 6 8 12], want [4 6 8 10]",
		another("grey.safetensors", grey):      "it is for pictures of mean [0.1 0.1 0.1]",
		filepath.Join(dir, "gone.safetensors"): "--average: ",
	} {
		if _, err := cmdtest.Run("export", mine, out, "--average", path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
