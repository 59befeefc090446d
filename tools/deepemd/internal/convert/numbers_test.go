package convert

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
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
			printed := require.Value(cmdtest.Run(verb, in, out, "--dtype", fmt.Sprintf("i%d", bits), "--name", "w"))(t)
			said := gzip.FindStringSubmatch(printed)
			if said == nil {
				t.Fatalf("%s: no size as gzip:\n%s", verb, printed)
			}
			size := require.Value(strconv.Atoi(said[1]))(t)
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
			info := require.Value(os.Stat(out))(t)
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

// A network of linear layers has a byte a weight: its file is a quarter, it runs, and what
// reads it for other ends has floats again.
func TestExportOfBytes(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.safetensors"), filepath.Join(dir, "out.safetensors")
	whole, again := filepath.Join(dir, "whole.safetensors"), filepath.Join(dir, "again.safetensors")
	file := require.Value(os.Create(in))(t)
	require.NoError(t, networktest.Transformer().Encode(file, weights.F32))
	file.Close()
	run := func(args ...string) int64 {
		t.Helper()
		if printed, err := cmdtest.Run(args...); err != nil || !strings.Contains(printed, args[len(args)-1]) {
			t.Fatalf("%v: error %v, printed %s", args, err, printed)
		}
		info := require.Value(os.Stat(args[2]))(t)
		return info.Size()
	}
	full, small := run("export", in, whole, "--dtype", "f32"), run("export", in, out, "--dtype", "int8")
	if share := float64(small) / float64(full); share > 0.29 { // the network is small: more of it is not in layers
		t.Errorf("%d of %d bytes, %.3f", small, full, share)
	}
	f := cmdtest.Decode(t, out)
	b := f.Bytes["encoder.blocks.0.attn.qkv.weight"]
	if b == nil || len(f.Bytes) != 9 {
		t.Fatalf("%d tensors of bytes, want 9", len(f.Bytes))
	}
	if _, err := backbone.New(f, backbone.Options{}); err != nil {
		t.Error(err)
	}
	run("import", out, again, "--dtype", "f32")
	wide := cmdtest.Decode(t, again)
	if got := wide.Tensors["encoder.blocks.0.attn.qkv.weight"]; len(wide.Bytes) != 0 || got == nil || !slices.Equal(got.Data, b.Widen().Data) {
		t.Error("imported again the weights are others")
	}
	for want, args := range map[string][]string{
		"is of architecture vit: want int8": {in, out, "--dtype", "i8"},
		"is a ResNet-12: want i8":           {cmdtest.Weights(t, nil), out, "--dtype", "int8"},
	} {
		if _, err := cmdtest.Run(append([]string{"export"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
