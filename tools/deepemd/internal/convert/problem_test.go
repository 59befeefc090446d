package convert

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

// The difference to a known optimum is relative, and absolute where that is zero.
func TestDifference(t *testing.T) {
	var simplex solver.Simplex
	for known, want := range map[float64]float64{17: 0, 20: 0.15, 0: 17} {
		p := problem{Cost: [][]float64{{1, 4, 6}, {3, 2, 1}}, Supply: []float64{5, 7}, Demand: []float64{4, 3, 5}, Optimum: &known}
		s, err := p.solve(&simplex)
		if err != nil || s.Difference == nil || !(math.Abs(*s.Difference-want) <= 1e-12) {
			t.Errorf("to %g: %+v, error %v, want %g", known, s, err, want)
		}
	}
}

func TestParseProblems(t *testing.T) {
	const one = `{"kind": "small", "cost": [[1]], "supply": [2], "demand": [2], "optimum": null}`
	for text, want := range map[string][]string{
		one:             nil,
		"[" + one + "]": nil,
		`{"quadratic": 3, "transport": [` + one + `], "about": null}`: {"about", "quadratic"},
	} {
		problems, ignored, err := parseProblems([]byte(text))
		if err != nil || len(problems) != 1 || problems[0].Kind != "small" || problems[0].Optimum != nil || !slices.Equal(ignored, want) {
			t.Errorf("%s: %+v, beside it %v, error %v", text, problems, ignored, err)
		}
	}
	for text, want := range map[string]string{
		`{"cost": [[1, null]], "supply": [1], "demand": [1, 0]}`:          "problem 1: row 1 of cost: number 2 is null",
		`[` + one + `, {"cost": [[1]], "supply": [null], "demand": [0]}]`: "problem 2: supply: number 1 is null",
		`{"cost": [[1]], "supply": [0], "demand": [null]}`:                "problem 1: demand: number 1 is null",
		`[null]`: "problem 1: null",
		`{"cost": [[1]], "suply": [1], "demand": [1]}`: `unknown field "suply"`,
		`{"cost": [[1]], "transport": [` + one + `]}`:  "both a problem and a list",
		`{"transport": 3}`:                                "not a list of problems",
		`{"transport": null}`:                             "no problems",
		`{"transports": [` + one + `]}`:                   "no problems",
		`{"cost": [["1"]], "supply": [1], "demand": [1]}`: "problem 1: ",
	} {
		if _, _, err := parseProblems([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", text, err, want)
		}
	}
}

// TestOverflow refuses a problem whose optimum is beyond all numbers.
func TestOverflow(t *testing.T) {
	problems, _, err := parseProblems([]byte(`[{"cost": [[1e308]], "supply": [1e10], "demand": [1e10]},
		{"cost": [[1e308, -1e308], [-1e308, 1e308]], "supply": [1, 1], "demand": [1, 1], "optimum": 1e308}]`))
	require.NoError(t, err)
	var simplex solver.Simplex
	if s, err := problems[0].solve(&simplex); err == nil || !strings.Contains(err.Error(), "overflow") {
		t.Errorf("%+v, error %v", s, err)
	}
	s, err := problems[1].solve(&simplex)
	if err == nil {
		if _, err := json.Marshal(s); err != nil {
			t.Error(err)
		}
	} else if !strings.Contains(err.Error(), "overflow") {
		t.Error(err)
	}
}

// FuzzProblems solves the problems of any file, and encodes the solutions.
func FuzzProblems(f *testing.F) {
	for _, text := range []string{
		`{"cost": [[1, 4, 6], [3, 2, 1]], "supply": [5, 7], "demand": [4, 3, 5], "optimum": 17, "kind": "small"}`,
		`[{"cost": [[1e308]], "supply": [1e10], "demand": [1e10]}, {"cost": [[0]], "supply": [0], "demand": [0], "optimum": 1e-320}]`,
		`{"transport": [{"cost": [[null]], "supply": [1], "demand": [1]}], "quadratic": []}`,
		`{"cost": [[1, 2], [3]], "supply": [1, 1], "demand": [1, 1]}`, `[null]`, `[]`, `{}`, ``, `{"cost": []}`, `[[[[`,
		`{"cost": [[-1e308, 1e308]], "supply": [2], "demand": [1, 1]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var problems []problem
		var err error
		bombs.Budget(t, 1<<20, 2048, len(raw), func() { problems, _, err = parseProblems(raw) })
		if err != nil {
			return
		}
		var simplex solver.Simplex
		for _, p := range problems {
			s, err := p.solve(&simplex)
			if err != nil {
				continue
			}
			if _, err := json.Marshal(s); err != nil {
				t.Errorf("%+v: the solution cannot be written: %v", p, err)
			}
			if len(s.Flow) != len(p.Supply) || len(s.U) != len(p.Supply) || len(s.V) != len(p.Demand) {
				t.Errorf("%+v: a solution of another shape: %+v", p, s)
			}
		}
	})
}
