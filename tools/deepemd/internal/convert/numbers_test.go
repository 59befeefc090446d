package convert

import (
	"encoding/json"
	"fmt"
	"io"
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
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// Fewer bits do not change the size of a file and make it compress better. The coarse filters have
// most of the weights.
func TestExportOfFewBits(t *testing.T) {
	in := cmdtest.Weights(t, func(f *weights.File) { *f = *networktest.ResNet12([]int{8, 16, 24, 32}, 32, 1) })
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
		cmdtest.Prints(t, args[len(args)-1], args...)
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
	named := filepath.Join(dir, "named.safetensors")
	require.Value(cmdtest.Run("export", in, named, "--dtype", "int8", "--module"))(t)
	if got := cmdtest.Decode(t, named).Bytes["module.encoder.blocks.0.attn.qkv.weight"]; got == nil || !slices.Equal(got.Values, b.Values) {
		t.Error("with --module the weights are others")
	}
	run("import", named, again, "--dtype", "f32")
	if got := cmdtest.Decode(t, again).Tensors["encoder.blocks.0.attn.qkv.weight"]; got == nil || !slices.Equal(got.Data, b.Widen().Data) {
		t.Error("imported again with the names of --module the weights are others")
	}
	for want, args := range map[string][]string{
		"is of architecture vit: want int8": {in, out, "--dtype", "i8"},
		"is a ResNet-12: want i8":           {cmdtest.Weights(t, nil), out, "--dtype", "int8"},
	} {
		cmdtest.Fails(t, want, append([]string{"export"}, args...)...)
	}
}

func TestEmdSolvesTheReference(t *testing.T) {
	out := filepath.Join(t.TempDir(), "s.json")
	require.Value(cmdtest.Run("emd", "--in", require.Shared(t, "reference/transport.json"), "--out", out))(t)
	var solutions []solution
	require.NoError(t, json.Unmarshal([]byte(cmdtest.ReadText(t, out)), &solutions))
	if len(solutions) != 32 {
		t.Errorf("%d solutions, want 32", len(solutions))
	}
	for i, s := range solutions {
		if s.Difference == nil || !(*s.Difference <= 1e-9) {
			t.Errorf("problem %d (%s): relative difference %v", i+1, s.Kind, s.Difference)
		}
	}
}

func TestEmdForms(t *testing.T) {
	const problem = `{"cost": [[1, 4, 6], [3, 2, 1]], "supply": [5, 7], "demand": [4, 3, 5]}`
	for _, form := range []string{problem, "[" + problem + "]", "\ufeff" + problem, `{"transport": [` + problem + `]}`} {
		path := filepath.Join(t.TempDir(), "p.json")
		require.NoError(t, os.WriteFile(path, []byte(form), 0o644))
		out := filepath.Join(t.TempDir(), "s.json")
		require.Value(cmdtest.Run("emd", "--in", path, "--out", out))(t)
		require.Value(cmdtest.Run("emd", "--in", path, "--out", out))(t) // over itself
		cmdtest.Fails(t, "overwrite", "emd", "--in", "-", "--out", path)
		raw := require.Value(os.ReadFile(out))(t)
		if !strings.Contains(string(raw), `"optimum":17,"flow":[[4,1,0],[0,2,5]]`) {
			t.Errorf("%s gives %s", form, raw)
		}
		s, err := solveFile("-", strings.NewReader(form), io.Discard)
		if err != nil || len(s) != 1 || s[0].(solution).Optimum != 17 {
			t.Errorf("%s on the standard input gives %+v, error %v", form, s, err)
		}
	}
}

func TestEmdErrors(t *testing.T) {
	const results = `[{"error":"`
	cases := []struct{ name, file, want, prints string }{
		{"not JSON", `cost`, "want {", ""},
		{"empty list", `[]`, "no problems", ""},
		{"something else", `{"hello": 1}`, "no problems", ""},
		{"unbalanced", `{"kind": "mine", "cost": [[1]], "supply": [1], "demand": [2]}`, "problem 1 (mine)", results},
		{"empty", `{"cost": [], "supply": [], "demand": []}`, "empty", results},
		{"ragged", `[{"cost": [[1, 2], [3]], "supply": [1, 1], "demand": [1, 1]}]`, "row 2 has 1 cost for 2 demands", results},
		{"mismatched", `[{"cost": [[1, 2]], "supply": [1, 1], "demand": [1, 1]}]`, "1 row of costs for 2 supplies", results},
		{"null", `{"cost": [[null]], "supply": [1], "demand": [1]}`, "row 1 of cost: number 1 is null", ""},
		{"a key that is none", `{"cost": [[1]], "supply": [1], "demand": [1], "weight": 3}`, "weight", ""},
		{"overflow", `{"cost": [[1e308]], "supply": [1e10], "demand": [1e10]}`, "overflow", results},
		{"negative", `[{"cost": [[1]], "supply": [-1], "demand": [-1]}]`, "negative", results},
		{"too large a number", `[{"cost": [[1e999]], "supply": [1], "demand": [1]}]`, "number 1e999", ""},
	}
	for _, c := range cases {
		path := filepath.Join(t.TempDir(), "bad.json")
		require.NoError(t, os.WriteFile(path, []byte(c.file), 0o644))
		printed, err := cmdtest.Run("emd", "--in", path)
		if err == nil || (printed == "") != (c.prints == "") || !strings.HasPrefix(printed, c.prints) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "bad.json") {
			t.Errorf("%s: error %v, want %q and the file's name; printed %q", c.name, err, c.want, printed)
		}
	}
	for _, args := range [][]string{{"emd"}, {"emd", "--in", "nowhere.json"}} {
		if _, err := cmdtest.Run(args...); err == nil {
			t.Errorf("%v gives no error", args)
		}
	}
}

// TestEmdKeepsTheOthers solves the solvable problems of a batch, and reports the others.
func TestEmdKeepsTheOthers(t *testing.T) {
	path, out := filepath.Join(t.TempDir(), "p.json"), filepath.Join(t.TempDir(), "s.json")
	cmdtest.WriteText(t, path, `[{"cost": [[3]], "supply": [2], "demand": [2]}, {"kind": "huge", "cost": [[1e308]], "supply": [1e10], "demand": [1e10]},
		{"cost": [[1]], "supply": [1], "demand": [2]}, {"cost": [[4]], "supply": [2], "demand": [2]}]`)
	_, err := cmdtest.Run("emd", "--in", path, "--out", out)
	for _, want := range []string{"p.json", "2 of 4 problems cannot be solved", "problem 2 (huge)", "overflow"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	var solutions []struct {
		Kind, Error string
		Optimum     *float64
	}
	if err := json.Unmarshal([]byte(cmdtest.ReadText(t, out)), &solutions); err != nil || len(solutions) != 4 {
		t.Fatalf("%v: %v", solutions, err)
	}
	for i, want := range []float64{6, 0, 0, 8} {
		s := solutions[i]
		if (s.Optimum == nil) != (want == 0) || (s.Error == "") != (want != 0) || s.Optimum != nil && *s.Optimum != want {
			t.Errorf("problem %d: %+v, want the optimum %g, or an error for 0", i+1, s, want)
		}
	}
}

// TestEmdSaysWhatItPassesOver names the ignored entries of a file.
func TestEmdSaysWhatItPassesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	cmdtest.WriteText(t, path, `{"quadratic": [], "transport": [{"cost": [[3]], "supply": [2], "demand": [2]}]}`)
	cmdtest.Prints(t, "not transport problems: quadratic", "emd", "--in", path, "--out", filepath.Join(t.TempDir(), "s.json"))
}
