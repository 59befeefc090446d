package convert

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// Fewer bits leave a file's size as it is and make it compress better; the coarse
// filters are those that hold most weights.
func TestExportOfFewBits(t *testing.T) {
	in := cmdtest.Weights(t, func(f *weights.File) { *f = *resnettest.Weights([]int{8, 16, 24, 32}, 32, 1) })
	gzip := regexp.MustCompile(`(?m)^as gzip +(\d+)$`)
	var sizes, files []int
	for _, bits := range []int{8, 6, 5, 4, 3} {
		for _, verb := range []string{"export", "import"} {
			out := filepath.Join(t.TempDir(), "w.safetensors")
			printed, err := cmdtest.Run(verb, in, out, "--dtype", fmt.Sprintf("i%d", bits), "--name", "w")
			if err != nil {
				t.Fatal(err)
			}
			said := gzip.FindStringSubmatch(printed)
			if said == nil {
				t.Fatalf("%s: no size as gzip:\n%s", verb, printed)
			}
			size, err := strconv.Atoi(said[1])
			if err != nil {
				t.Fatal(err)
			}
			f := cmdtest.Decode(t, out)
			for name, most := range map[string]int{
				"encoder.layer1.0.conv1.weight": 127, "encoder.layer4.0.downsample.0.weight": 127,
				"encoder.layer3.0.conv1.weight": 1<<(bits-1) - 1, "encoder.layer4.0.conv3.weight": 1<<(bits-1) - 1,
			} {
				values := f.Tensors[name].Data
				if got := max(slices.Max(values), -slices.Min(values)); got != float32(most) {
					t.Errorf("%s, %d bits: %s goes up to %v, want %d", verb, bits, name, got, most)
				}
			}
			if verb == "import" {
				continue
			}
			info, err := os.Stat(out)
			if err != nil {
				t.Fatal(err)
			}
			files, sizes = append(files, int(info.Size())), append(sizes, size)
		}
	}
	if slices.Max(files) != slices.Min(files) {
		t.Errorf("files of %d bytes, want the same size for all", files)
	}
	for i := 1; i < len(sizes); i++ {
		if float64(sizes[i]) > 0.95*float64(sizes[i-1]) {
			t.Errorf("as gzip %d bytes, want each at most 95%% of the one before", sizes)
		}
	}
}
