package convert

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/conformance"
)

func TestEmdSolvesTheReference(t *testing.T) {
	out := filepath.Join(t.TempDir(), "s.json")
	require.Value(cmdtest.Run("emd", "--in", golden.Path(t, "reference/transport.json"), "--out", out))(t)
	var solutions []conformance.Solution
	require.NoError(t, json.Unmarshal([]byte(cmdtest.ReadText(t, out)), &solutions))
	if len(solutions) != 32 {
		t.Errorf("%d solutions, want 32", len(solutions))
	}
	for i, s := range solutions {
		if s.Difference == nil || *s.Difference > 1e-9 {
			t.Errorf("problem %d (%s): relative difference %v", i+1, s.Kind, s.Difference)
		}
	}
}

func TestEmdForms(t *testing.T) {
	const problem = `{"cost": [[1, 4, 6], [3, 2, 1]], "supply": [5, 7], "demand": [4, 3, 5]}`
	for _, form := range []string{problem, "[" + problem + "]", `{"transport": [` + problem + `]}`} {
		path := filepath.Join(t.TempDir(), "p.json")
		require.NoError(t, os.WriteFile(path, []byte(form), 0o644))
		out := filepath.Join(t.TempDir(), "s.json")
		require.Value(cmdtest.Run("emd", "--in", path, "--out", out))(t)
		raw := require.Value(os.ReadFile(out))(t)
		if !strings.Contains(string(raw), `"optimum":17,"flow":[[4,1,0],[0,2,5]]`) {
			t.Errorf("%s gives %s", form, raw)
		}
	}
}

func TestEmdErrors(t *testing.T) {
	cases := []struct{ name, file, want string }{
		{"not JSON", `cost`, "want {"},
		{"empty list", `[]`, "no problems"},
		{"something else", `{"hello": 1}`, "no problems"},
		{"unbalanced", `{"kind": "mine", "cost": [[1]], "supply": [1], "demand": [2]}`, "problem 1 (mine)"},
		{"empty", `{"cost": [], "supply": [], "demand": []}`, "empty"},
		{"ragged", `[{"cost": [[1, 2], [3]], "supply": [1, 1], "demand": [1, 1]}]`, "row 2 has 1 costs"},
		{"mismatched", `[{"cost": [[1, 2]], "supply": [1, 1], "demand": [1, 1]}]`, "1 rows of costs for 2 supplies"},
		{"null", `{"cost": [[null]], "supply": [1], "demand": [1]}`, "row 1 of cost: number 1 is null"},
		{"a key that is none", `{"cost": [[1]], "supply": [1], "demand": [1], "weight": 3}`, "weight"},
		{"overflow", `{"cost": [[1e308]], "supply": [1e10], "demand": [1e10]}`, "overflow"},
		{"negative", `[{"cost": [[1]], "supply": [-1], "demand": [-1]}]`, "negative"},
		{"too large a number", `[{"cost": [[1e999]], "supply": [1], "demand": [1]}]`, "number 1e999"},
	}
	for _, c := range cases {
		path := filepath.Join(t.TempDir(), "bad.json")
		require.NoError(t, os.WriteFile(path, []byte(c.file), 0o644))
		_, err := cmdtest.Run("emd", "--in", path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "bad.json") {
			t.Errorf("%s: error %v, want %q and the file's name", c.name, err, c.want)
		}
	}
	for _, args := range [][]string{{"emd"}, {"emd", "--in", "nowhere.json"}} {
		if _, err := cmdtest.Run(args...); err == nil {
			t.Errorf("%v gives no error", args)
		}
	}
}

// TestEmdKeepsTheOthers solves what can be solved of a batch, and says what cannot.
func TestEmdKeepsTheOthers(t *testing.T) {
	path, out := filepath.Join(t.TempDir(), "p.json"), filepath.Join(t.TempDir(), "s.json")
	cmdtest.WriteText(t, path, `[{"cost": [[3]], "supply": [2], "demand": [2]}, {"kind": "huge", "cost": [[1e308]], "supply": [1e10], "demand": [1e10]},
		{"cost": [[1]], "supply": [1], "demand": [2]}, {"cost": [[4]], "supply": [2], "demand": [2]}]`)
	_, err := cmdtest.Run("emd", "--in", path, "--out", out)
	for _, want := range []string{"p.json", "2 of 4 cannot be solved", "problem 2 (huge)", "overflow"} {
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

// TestEmdSaysWhatItPassesOver names what of a file is no transport problem.
func TestEmdSaysWhatItPassesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	cmdtest.WriteText(t, path, `{"quadratic": [], "transport": [{"cost": [[3]], "supply": [2], "demand": [2]}]}`)
	said, err := cmdtest.Run("emd", "--in", path, "--out", filepath.Join(t.TempDir(), "s.json"))
	if err != nil || !strings.Contains(said, "no transport problems: quadratic") {
		t.Errorf("it says %q, %v", said, err)
	}
}
