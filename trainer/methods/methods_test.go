package methods_test

import (
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/solver"
	"github.com/deepemd/deepemd/trainer/methods"
)

func TestParseClassifiers(t *testing.T) {
	tests := []struct{ list, want string }{
		{"prototype", "prototype"},
		{"sfc, dn4,merge", "sfc dn4 merge"},
		{"all", "prototype sfc nearest fusion merge cosine euclidean matching cosine-head linear-head dn4 prediction-fusion"},
		{"magic", `no classifier "magic": want prototype, sfc, nearest`},
		{"", `no classifier ""`},
		{"prototype,", `no classifier ""`},
		{"all,sfc", `no classifier "all"`},
		{"sfc,dn4,sfc", `"sfc" is there twice`},
	}
	for _, test := range tests {
		list, err := methods.ParseClassifiers(test.list)
		var names []string
		for _, c := range list {
			names = append(names, c.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if (err == nil && got != test.want) || !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, want %s", test.list, got, test.want)
		}
	}
}

// Every classifier works with every weighting and solver that it is made with.
func TestClassifiersWork(t *testing.T) {
	set := func(v ...float32) *embed.Set { return &embed.Set{N: 3, C: 4, Data: v} }
	a := set(1, 0, 0, 0.1, 2, 0.1, 0, 0, 1, 0.2, 0.1, 0)
	b := set(0, 1, 0, 0, 0.1, 0, 1, 0, 0, 0.2, 2, 0.1)
	query := set(1, 0.1, 0, 0.2, 2, 0, 0.2, 0, 1, 0.1, 0, 0)
	classes := []fewshot.Class{{Name: "a", Support: []*embed.Set{a, query}}, {Name: "b", Support: []*embed.Set{b, b}}}
	for _, weights := range []string{"cross-reference", "equal", "k-means:2", "mean-shift"} {
		for _, how := range []string{"simplex", "sinkhorn:0.05", "interior", "dense"} {
			weighting, err := methods.ParseWeighting(weights)
			if err != nil {
				t.Fatal(err)
			}
			s, err := methods.ParseSolver(how)
			if err != nil {
				t.Fatal(err)
			}
			all := methods.Learnable(methods.Classifiers(), weighting)
			if _, merges := weighting.(match.Grouping); (len(all) == len(methods.Classifiers())) == merges {
				t.Errorf("%s goes with %d classifiers of %d", weights, len(all), len(methods.Classifiers()))
			}
			for _, c := range all {
				classifier := c.New(methods.Settings{Weighting: weighting, Solver: s, Passes: 2})
				if err := classifier.Fit(classes); err != nil {
					t.Errorf("%s, %s, %s: %v", c.Name, weights, how, err)
					continue
				}
				scores, err := classifier.Scores(nil, query)
				if err != nil || fewshot.Best(scores) != 0 {
					t.Errorf("%s, %s, %s: scores %v, error %v", c.Name, weights, how, scores, err)
				}
			}
		}
	}
}

func TestParseWeighting(t *testing.T) {
	for name, want := range map[string]match.Weighting{
		"cross-reference": match.CrossReference{},
		"equal":           match.Equal{},
		"k-means:25":      match.KMeans{K: 25},
		"mean-shift":      match.MeanShift{},
		"mean-shift:2.5":  match.MeanShift{Bandwidth: 2.5},
		"mean-shift:+Inf": match.MeanShift{Bandwidth: math.Inf(1)},
	} {
		if got, err := methods.ParseWeighting(name); err != nil || got != want || got.String() != name {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
	for name, want := range map[string]string{
		"":               "cross-reference, equal, k-means:K",
		"equal:2":        "cross-reference, equal, k-means:K",
		"k-means":        "such as k-means:5",
		"k-means:0":      "such as k-means:5",
		"k-means:2.5":    "such as k-means:5",
		"mean-shift:":    "such as mean-shift:2.5",
		"mean-shift:0":   "such as mean-shift:2.5",
		"mean-shift:-1":  "such as mean-shift:2.5",
		"mean-shift:NaN": "such as mean-shift:2.5",
	} {
		if got, err := methods.ParseWeighting(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want one that says %q", name, got, err, want)
		}
	}
}

func TestParseSolver(t *testing.T) {
	for name, want := range map[string]string{
		"simplex":       "simplex",
		"sinkhorn":      "sinkhorn:0.01",
		"sinkhorn:0.5":  "sinkhorn:0.5",
		"interior":      "interior:1e-06",
		"interior:1e-3": "interior:0.001",
		"dense":         "dense",
	} {
		got, err := methods.ParseSolver(name)
		if err != nil || got.String() != want || got.Exact() != (name == "simplex") || (got.New() == nil) != got.Exact() {
			t.Errorf("%s: %v, error %v, want %s", name, got, err, want)
		}
	}
	if s, _ := methods.ParseSolver("sinkhorn:0.5"); s.New().(*solver.Sinkhorn).Strength != 0.5 || s.New() == s.New() {
		t.Error("the solver made is not of the strength asked for, or is shared")
	}
	if (methods.Solver{}).String() != "simplex" {
		t.Errorf("the zero value is %s", methods.Solver{})
	}
	for name, want := range map[string]string{
		"":             "want simplex (exact)",
		"magic":        "want simplex (exact)",
		"simplex:1":    "nothing to set",
		"dense:1":      "nothing to set",
		"sinkhorn:":    "a strength above zero",
		"sinkhorn:0":   "a strength above zero",
		"sinkhorn:NaN": "a strength above zero",
		"interior:Inf": "a strength above zero",
		"interior:-1":  "a strength above zero",
	} {
		if got, err := methods.ParseSolver(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want one that says %q", name, got, err, want)
		}
	}
}

// What is parsed gives its name back, and can be used.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"equal", "k-means:5", "mean-shift:2.5", "sinkhorn:0.1", "interior:1e-9", "a:b:c", ":"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if w, err := methods.ParseWeighting(name); err == nil {
			if again, err := methods.ParseWeighting(w.String()); err != nil || again != w {
				t.Errorf("%q is %v, which parses as %v, %v", name, w, again, err)
			}
			query := &embed.Set{N: 2, C: 2, Data: []float32{1, 0, 0.5, 1}}
			m := match.Matcher{Weighting: w}
			if _, err := m.Score(query, query); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
		if s, err := methods.ParseSolver(name); err == nil {
			if again, err := methods.ParseSolver(s.String()); err != nil || again.String() != s.String() {
				t.Errorf("%q is %v, which parses as %v, %v", name, s, again, err)
			}
		}
	})
}
