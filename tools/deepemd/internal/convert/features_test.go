package convert

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestFeatures(t *testing.T) {
	dir, in, out := cmdtest.Pictures(t, 3), cmdtest.Weights(t, nil), t.TempDir()
	f, p, b := filepath.Join(out, "f.npy"), filepath.Join(out, "p.npy"), filepath.Join(out, "b.npy")
	cmdtest.Prints(t, "9 images, 5 nodes of 10 channels", "features", "--data", dir, "--weights", in, "--out", f, "--pixels", p, "--pyramid", "1")
	var list arrays.List
	require.NoError(t, json.Unmarshal([]byte(cmdtest.ReadText(t, arrays.ListPath(f))), &list))
	want := arrays.List{
		Shape: []int{9, 5, 10}, Network: "random", Data: filepath.Base(dir), Size: 32, Pyramid: []int{1},
		Mean: [3]float32{0.5, 0.5, 0.5}, Std: [3]float32{0.25, 0.25, 0.25},
	}
	for _, class := range cmdtest.ClassNames {
		for i := range 3 {
			want.Names, want.Classes = append(want.Names, fmt.Sprintf("%s/%d.png", class, i)), append(want.Classes, class)
		}
	}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("the list says %+v, want %+v", list, want)
	}

	file := require.Value(os.Open(p))(t)
	defer file.Close()
	var pixels []uint8
	r, err := npyio.NewReader(file)
	if err == nil {
		err = r.Read(&pixels)
	}
	if err != nil || !slices.Equal(r.Header.Descr.Shape, []int{9, 32, 32, 3}) || r.Header.Descr.Type != "|u1" {
		t.Fatalf("pixels %+v, %v", r.Header, err)
	}

	// The network's inputs give the same features, by hand …
	batch, features := tensor.New(9, 32, 32, 3), readNPY(t, f)
	for i, v := range pixels {
		batch.Data[i] = (float32(v)/255 - 0.5) / 0.25
	}
	cmdtest.WriteNPY(t, b, batch)
	net := require.Value(backbone.New(cmdtest.Decode(t, in), backbone.Options{}))(t)
	again, err := net.Forward(batch)
	require.NoError(t, err)
	for i := range 9 {
		if d := again.Row(i)[7] - features.Row(i)[10+7]; !(d <= 1e-4) || d < -1e-4 { // after the pyramid's node
			t.Errorf("picture %d: a feature is %g, and %g from the batch", i, features.Row(i)[10+7], again.Row(i)[7])
		}
	}
	// … and by the command, in every form.
	n := filepath.Join(out, "n.npy")
	cmdtest.WriteNPY(t, n, planes(batch))
	for _, array := range []string{p, b, n} {
		g := filepath.Join(out, "g.npy")
		if _, err := cmdtest.Run("features", "--in", array, "--weights", in, "--out", g, "--pyramid", "1"); err != nil {
			t.Errorf("%s: %v", array, err)
			continue
		}
		if cmdtest.ReadText(t, g) != cmdtest.ReadText(t, f) {
			t.Errorf("%s gives other features than its pictures", filepath.Base(array))
		}
		var back arrays.List
		require.NoError(t, json.Unmarshal([]byte(cmdtest.ReadText(t, arrays.ListPath(g))), &back))
		if array != p {
			if want := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8"}; !slices.Equal(back.Names, want) || back.Classes != nil {
				t.Errorf("without a list: %+v", back)
			}
		} else if !reflect.DeepEqual(back, want) {
			t.Errorf("%s: the list says %+v, want %+v", filepath.Base(array), back, want)
		}
	}
}

// Unreadable images are left out and listed; with --strict they are an error.
func TestFeaturesLeavesOut(t *testing.T) {
	dir, in, out := cmdtest.Pictures(t, 2), cmdtest.Weights(t, nil), t.TempDir()
	whole := cmdtest.ReadText(t, filepath.Join(dir, "chess", "0.png"))
	for name, content := range map[string]string{"half.png": whole[:len(whole)/2], "notes": "a text", "no-ending": whole} {
		cmdtest.WriteText(t, filepath.Join(dir, "chess", name), content)
	}
	f, p := filepath.Join(out, "f.npy"), filepath.Join(out, "p.npy")
	args := []string{"features", "--data", dir, "--weights", in, "--out", f, "--pixels", p}
	printed := require.Value(cmdtest.Run(args...))(t)
	for _, want := range []string{"7 images", "left out 1 file that is not", "chess/notes", "half.png: the file ends"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not in %s", want, printed)
		}
	}
	cmdtest.Fails(t, "chess/notes", append(args, "--strict")...)
}

// TestFeaturesOfOddNames: names that are not UTF-8 stay different in every list, so that the images can be embedded again.
func TestFeaturesOfOddNames(t *testing.T) {
	dir, out, in := cmdtest.Pictures(t, 1), t.TempDir(), cmdtest.Weights(t, nil)
	whole := cmdtest.ReadText(t, filepath.Join(dir, "chess", "0.png"))
	for _, name := range []string{"\xe4.png", "\xf6.png"} {
		if err := os.WriteFile(filepath.Join(dir, "chess", name), []byte(whole), 0o666); err != nil {
			t.Skip("no such names here:", err)
		}
	}
	p := filepath.Join(out, "p.npy")
	require.Value(cmdtest.Run("features", "--data", dir, "--weights", in, "--out", filepath.Join(out, "f.npy"), "--pixels", p))(t)
	if printed, err := cmdtest.Run("features", "--in", p, "--weights", in, "--out", filepath.Join(out, "g.npy")); err != nil {
		t.Errorf("%s, error %v", printed, err)
	}
	if f, g := cmdtest.ReadText(t, filepath.Join(out, "f.json")), cmdtest.ReadText(t, filepath.Join(out, "g.json")); f != g {
		t.Errorf("lists\n%s\n%s", f, g)
	}
}

// TestFeaturesNotesProfiles: a color profile that is not applied is named.
func TestFeaturesNotesProfiles(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 1), filepath.Join(t.TempDir(), "f.npy")
	raw := cmdtest.ReadText(t, require.Shared(t, "cases/pictures/icc-lut.png"))
	cmdtest.WriteText(t, filepath.Join(dir, "chess", "lut.png"), raw)
	cmdtest.Prints(t, "profiles of 1 picture are not applied: chess/lut.png\n", "features", "--data", dir, "--weights", cmdtest.Weights(t, nil), "--out", out)
}

func TestFeaturesNotes(t *testing.T) {
	in, dir := cmdtest.Weights(t, nil), t.TempDir()
	x, out := filepath.Join(dir, "x.npy"), filepath.Join(dir, "f.npy")
	note := func() string {
		printed := require.Value(cmdtest.Run("features", "--in", x, "--weights", in, "--out", out))(t)
		return printed
	}
	values := tensor.New(1, 32, 32, 3)
	cmdtest.WriteNPY(t, x, values)
	if printed := note(); !strings.Contains(printed, "are its images normalized") {
		t.Errorf("printed %q", printed)
	}
	values.Data[5] = -1
	cmdtest.WriteNPY(t, x, values)
	if printed := note(); strings.Contains(printed, "note") {
		t.Errorf("printed %q", printed)
	}
	cmdtest.WriteText(t, arrays.ListPath(x), `{"names": ["a"], "mean": [0, 0, 0], "std": [1, 1, 1]}`)
	if printed := note(); !strings.Contains(printed, "the weights need [0.5 0.5 0.5]") {
		t.Errorf("printed %q", printed)
	}
}

func TestFeaturesRefuses(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 1), t.TempDir()
	f, x := filepath.Join(out, "f.npy"), filepath.Join(out, "x.npy")
	small, named := filepath.Join(out, "small.npy"), filepath.Join(out, "named.npy")
	cmdtest.WriteNPY(t, x, tensor.New(2, 5))
	cmdtest.WriteNPY(t, small, tensor.New(1, 8, 8, 3))
	cmdtest.WriteNPY(t, named, tensor.New(2, 16, 16, 3))
	cmdtest.WriteText(t, arrays.ListPath(named), `{"names": ["a"]}`)
	split := filepath.Join(out, "split.json")
	cmdtest.WriteText(t, split, `{"test": ["along"]}`)
	net, taken := cmdtest.Weights(t, nil), filepath.Join(out, "taken.npy")
	require.NoError(t, os.Mkdir(taken, 0o755))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--data", dir}, "--out is missing"},
		{[]string{"--out", f}, "--data is missing"},
		{[]string{"--data", dir, "--out", f + ".txt"}, "ends in .npy"},
		{[]string{"--data", dir, "--out", f, "--pixels", "p"}, "--pixels p: want a file that ends in .npy"},
		{[]string{"--data", dir, "--out", f, "--pixels", f}, "--out and --pixels name the same file"},
		{[]string{"--data", dir, "--out", f, "--set", "val"}, "--set requires --split"},
		{[]string{"--data", dir, "--out", filepath.Join(dir, "no", "f.npy")}, "--out: "},
		{[]string{"--data", dir, "--in", x, "--out", f}, "--data cannot be combined with --in"},
		{[]string{"--in", x, "--size", "32", "--out", f}, "--size cannot be combined with --in"},
		{[]string{"--data", dir, "--weights", net, "--out", taken}, "taken.npy"},
		{[]string{"--data", dir, "--weights", net, "--out", f, "--pixels", taken}, "taken.npy"},
		{[]string{"--in", x, "--out", x}, "x.npy: the output would overwrite an input"},
		{[]string{"--data", dir, "--split", split, "--out", filepath.Join(out, "split.npy")}, "split.json: the output would overwrite an input"},
		{[]string{"--data", dir, "--out", f, "--pixels", filepath.Join(out, "split.npy")}, "split.json: the output would overwrite"},
		{[]string{"--in", x, "--out", f}, "x.npy: an array of shape [2 5], want images"},
		{[]string{"--in", small, "--out", f}, "images of 8×8 pixels"},
		{[]string{"--in", named, "--out", f}, "1 names and 0 classes for an array of shape"},
		{[]string{"--in", filepath.Join(out, "gone.npy"), "--out", f}, "is the path right?"},
	} {
		cmdtest.Fails(t, c.want, append([]string{"features"}, c.args...)...)
	}
	if _, err := os.Stat(f); err == nil {
		t.Error("a refused command wrote its file")
	}
	require.Value(cmdtest.Ranks( // the second rank does not write the file
		[]string{"features", "--data", dir, "--weights", net, "--out", f},
		[]string{"features", "--data", dir, "--weights", net, "--out", filepath.Join(dir, "no", "f.npy")}))(t)
}

// readNPY reads an array of float32.
func readNPY(t *testing.T, path string) *tensor.Tensor {
	t.Helper()
	file := require.Value(os.Open(path))(t)
	defer file.Close()
	array := require.Value(arrays.ReadNPY(file))(t)
	return require.Value(arrays.Tensor(array))(t)
}
