package netfile_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/internal/tensor"
)

// save writes a tiny network, changed, to a file.
func save(t *testing.T, path string, seed uint64, change func(*weights.File)) string {
	t.Helper()
	f := networktest.ResNet12([]int{4, 6, 8, 10}, 32, seed)
	if change != nil {
		change(f)
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	file := require.Value(os.Create(path))(t)
	defer file.Close()
	require.NoError(t, f.Encode(file, weights.F32))
	return path
}

// bare writes a network as NumPy arrays without metadata.
func bare(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bare")
	require.NoError(t, arrays.WriteFolder(dir, networktest.ResNet12([]int{4, 6, 8, 10}, 32, 1)))
	require.NoError(t, os.Remove(filepath.Join(dir, "metadata.json")))
	return dir
}

// The metadata come from the user, the file, or the fallback, in this order. Otherwise they are
// assumed, and marked as such.
func TestReadCompletesFacts(t *testing.T) {
	rgb := func(v float32) *[3]float32 { return &[3]float32{v, v, v} }
	otherwise := weights.Meta{Mean: *rgb(0.3), Std: *rgb(0.4)}
	guess := weights.Meta{Mean: netfile.ImageNetMean, Std: netfile.ImageNetStd}
	dir := t.TempDir()
	stated := save(t, filepath.Join(dir, "stated.safetensors"), 1, nil)
	marked := save(t, filepath.Join(dir, "marked.safetensors"), 1, func(f *weights.File) {
		f.Meta.Mean, f.Meta.Std, f.Meta.Assumed = guess.Mean, guess.Std, []string{"mean", "std"}
	})
	nothing := bare(t)
	for _, c := range []struct {
		name      string
		path      string
		given     netfile.Facts
		mean, std [3]float32
		assumed   []string
		guessed   []string
	}{
		{"the file says", stated, netfile.Facts{}, *rgb(0.5), *rgb(0.25), nil, nil},
		{"the person says", stated, netfile.Facts{Mean: rgb(0), Std: rgb(1)}, *rgb(0), *rgb(1), nil, nil},
		{"the file says, whatever stands in", stated, netfile.Facts{Otherwise: otherwise}, *rgb(0.5), *rgb(0.25), nil, nil},
		{"nobody says", nothing, netfile.Facts{}, guess.Mean, guess.Std, []string{"mean", "std"}, []string{"input_size", "mean", "std"}},
		{"half is said", nothing, netfile.Facts{Std: rgb(1), InputSize: 64}, guess.Mean, *rgb(1), []string{"mean"}, []string{"mean"}},
		{"all is said", nothing, netfile.Facts{Mean: rgb(0), Std: rgb(1), InputSize: 64}, *rgb(0), *rgb(1), nil, nil},
		{"another stands in", nothing, netfile.Facts{Otherwise: otherwise, InputSize: 64}, *rgb(0.3), *rgb(0.4), nil, nil},
		{"the mark stays", marked, netfile.Facts{}, guess.Mean, guess.Std, []string{"mean", "std"}, []string{"mean", "std"}},
		{"half of the mark goes", marked, netfile.Facts{Mean: rgb(0)}, *rgb(0), guess.Std, []string{"std"}, []string{"std"}},
		{"the mark goes", marked, netfile.Facts{Mean: rgb(0), Std: rgb(1)}, *rgb(0), *rgb(1), nil, nil},
		{"what is assumed gives way", marked, netfile.Facts{Otherwise: otherwise}, *rgb(0.3), *rgb(0.4), nil, nil},
	} {
		n, err := netfile.Read(c.path, nil, c.given, false)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n.Meta.Mean != c.mean || n.Meta.Std != c.std || !reflect.DeepEqual(n.Meta.Assumed, c.assumed) || !slices.Equal(n.Guessed, c.guessed) {
			t.Errorf("%s: mean %v, std %v, assumed %q, guessed %q; want %v, %v, %q, %q",
				c.name, n.Meta.Mean, n.Meta.Std, n.Meta.Assumed, n.Guessed, c.mean, c.std, c.assumed, c.guessed)
		}
		if note := netfile.Note(n.Meta); (note == "") != (c.assumed == nil) || strings.Contains(note, "\n") {
			t.Errorf("%s: the note is %q", c.name, note)
		}
		if err := n.Runs(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if n, err := netfile.Complete(require.Value(netfile.Decode(nothing, nil))(t), "runs/owl.safetensors", netfile.Facts{}, false); err != nil || n.Meta.Name != "owl" || n.Meta.InputSize != netfile.ReferenceInput {
		t.Errorf("%+v, error %v", n, err)
	}
	if _, err := netfile.Read(stated, nil, netfile.Facts{Std: rgb(0)}, false); err == nil || !strings.Contains(err.Error(), "std") {
		t.Errorf("a standard deviation of zero: %v", err)
	}
}

func averageWith(t *testing.T, n *netfile.Network, path string) error {
	t.Helper()
	return n.Average(path, require.Value(netfile.Decode(path, nil))(t))
}

// An assumption of either network is an assumption of their average.
func TestAverageKeepsTheMark(t *testing.T) {
	dir := t.TempDir()
	plain := save(t, filepath.Join(dir, "plain.safetensors"), 1, func(f *weights.File) { f.Meta.Classes = []string{"owl", "fox"} })
	marked := save(t, filepath.Join(dir, "marked.safetensors"), 2, func(f *weights.File) {
		f.Meta.Assumed, f.Meta.Classes = []string{"mean", "std"}, []string{"bat", "owl"}
	})
	for _, pair := range [][2]string{{plain, marked}, {marked, plain}} {
		n := require.Value(netfile.Read(pair[0], nil, netfile.Facts{}, false))(t)
		require.NoError(t, averageWith(t, n, pair[1]))
		if !slices.Equal(n.Meta.Assumed, []string{"mean", "std"}) || !slices.Equal(n.Meta.Classes, []string{"bat", "fox", "owl"}) {
			t.Errorf("the average says %+v", n.Meta)
		}
	}
}

// Networks of other widths or other inputs have no average. That of equal ones has no prior, which
// is for other features.
func TestAverageNeedsTheSameNetwork(t *testing.T) {
	dir := t.TempDir()
	average := func(change func(*weights.File)) (*netfile.Network, error) {
		prior := func(f *weights.File) { f.Meta.Extra = map[string]string{openset.PriorKey: "1,0,0,0,0,0,0,1,0,1"} }
		n := require.Value(netfile.Read(save(t, filepath.Join(dir, "a.safetensors"), 1, prior), nil, netfile.Facts{}, false))(t)
		return n, averageWith(t, n, save(t, filepath.Join(dir, "b.safetensors"), 2, change))
	}
	for want, change := range map[string]func(*weights.File){
		"widths [4 6 8 12], want [4 6 8 10]":          func(f *weights.File) { *f = *networktest.ResNet12([]int{4, 6, 8, 12}, 32, 2) },
		"its inputs have mean [0.1 0.1 0.1]":          func(f *weights.File) { f.Meta.Mean = [3]float32{0.1, 0.1, 0.1} },
		"and standard deviation [0.1 0.1 0.1], those": func(f *weights.File) { f.Meta.Std = [3]float32{0.1, 0.1, 0.1} },
	} {
		if _, err := average(change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	if n, err := average(nil); err != nil || n.Meta.Extra[openset.PriorKey] != "" {
		t.Errorf("the average has the metadata %v, error %v", n.Meta.Extra, err)
	}
}

// Networks with other numbers of blocks have no average, and heads that both have are averaged too.
func TestAverageNeedsTheSameShape(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, blocks int, head float32) string {
		f := networktest.Transformer()
		maps.DeleteFunc(f.Tensors, func(name string, _ *tensor.Tensor) bool {
			return strings.Contains(name, "blocks.1.") && blocks == 1
		})
		f.Tensors["head.bias"] = tensor.Of([]float32{head}, 1)
		path := filepath.Join(dir, name)
		file := require.Value(os.Create(path))(t)
		defer file.Close()
		require.NoError(t, f.Encode(file, weights.F32))
		return path
	}
	short, long, other := write("short.safetensors", 1, 1), write("long.safetensors", 2, 1), write("other.safetensors", 2, 3)
	for _, pair := range [][2]string{{short, long}, {long, short}} {
		n := require.Value(netfile.Read(pair[0], nil, netfile.Facts{}, false))(t)
		if err := averageWith(t, n, pair[1]); err == nil || !strings.Contains(err.Error(), "blocks.1.") {
			t.Errorf("the average of %s and %s: error %v, want one that names a block", pair[0], pair[1], err)
		}
	}
	n := require.Value(netfile.Read(long, nil, netfile.Facts{}, true))(t)
	require.NoError(t, averageWith(t, n, other))
	if got := n.Tensors["head.bias"].Data[0]; got != 2 {
		t.Errorf("the head is %g, want 2", got)
	}
}

// The folder of a training run stands for the network that validated best.
func TestRunFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, netfile.LogFile), nil, 0o666))
	if _, err := netfile.Decode(dir, nil); err == nil || !strings.Contains(err.Error(), netfile.BestFile) {
		t.Errorf("a run that has validated nothing: %v", err)
	}
	sums := map[string]bool{}
	for i, name := range []string{netfile.LastFile, netfile.BestFile} { // in order of increasing precedence
		path := save(t, filepath.Join(dir, name), uint64(i), func(f *weights.File) { f.Meta.Name = name })
		f, err := netfile.Decode(dir, nil)
		if err != nil || f.Meta.Name != name {
			t.Errorf("%v, error %v, want %s", f, err, name)
		}
		folder := require.Value(netfile.Sum(dir))(t)
		if file, err := netfile.Sum(path); err != nil || file != folder || sums[file] {
			t.Errorf("the folder's sum is %s, that of %s %s, error %v", folder, name, file, err)
		}
		sums[folder] = true
	}
	if _, err := netfile.Decode(filepath.Join(dir, netfile.CheckpointFile), nil); err == nil || !strings.Contains(err.Error(), "next to it") {
		t.Errorf("a checkpoint: %v", err)
	}
	if _, err := netfile.Decode(filepath.Join(dir, "gone"), nil); err == nil || !strings.Contains(err.Error(), "is the path right?") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// The sum of a folder of arrays depends on the arrays, in a folder of any name. A folder without arrays is an error.
func TestSumOfArrays(t *testing.T) {
	sums := map[string]bool{}
	for seed := range uint64(2) {
		dir := filepath.Join(t.TempDir(), "arrays [1")
		require.NoError(t, arrays.WriteFolder(dir, networktest.ResNet12([]int{4, 6, 8, 10}, 32, seed)))
		sum := require.Value(netfile.Sum(dir))(t)
		if sums[sum] {
			t.Errorf("two networks have the sum %s", sum)
		}
		sums[sum] = true
	}
	if _, err := os.Stat("/dev/fd"); err == nil {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()
		require.NoError(t, w.Close())
		if sum, err := netfile.Sum(fmt.Sprintf("/dev/fd/%d", r.Fd())); err == nil || !strings.Contains(err.Error(), "write them to a file") {
			t.Errorf("the sum of a pipe is %s, error %v", sum, err)
		}
	}
	if sum, err := netfile.Sum(t.TempDir()); err == nil {
		t.Errorf("an empty folder has the sum %s", sum)
	}
}

// A safetensors file begins with the length of its header, which may begin as a PyTorch
// file does: one in 32 has the first byte of a pickle.
func TestDecodeWhateverTheLengthOfTheHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.safetensors")
	pickles := 0
	for n := 0; n < 256; n += 8 {
		trained := strings.Repeat("a", n+1)
		save(t, path, 1, func(f *weights.File) { f.Meta.TrainedOn = trained })
		data := require.Value(os.ReadFile(path))(t)
		if data[0] == 0x80 {
			pickles++
		}
		f, err := netfile.Decode(path, nil)
		if err != nil {
			t.Fatalf("a file that begins with %#x: %v", data[:2], err)
		}
		if f.Meta.TrainedOn != trained {
			t.Errorf("trained on %q, want %q", f.Meta.TrainedOn, trained)
		}
	}
	if pickles != 1 {
		t.Errorf("%d of the files begin as a pickle does, want 1", pickles)
	}
}

// An ONNX model is recognized under any file name.
func TestDecodeONNX(t *testing.T) {
	f := networktest.ResNet12([]int{4, 6, 8, 10}, 32, 1)
	for _, name := range []string{"w.onnx", "w"} {
		path := filepath.Join(t.TempDir(), name)
		file := require.Value(os.Create(path))(t)
		require.NoError(t, errors.Join(onnx.Encode(file, f), file.Close()))
		n, err := netfile.Read(path, nil, netfile.Facts{}, false)
		if err != nil || !reflect.DeepEqual(n.Meta, f.Meta) || len(n.Guessed) > 0 {
			t.Errorf("%s: %v, %v", name, n, err)
		}
	}
}
