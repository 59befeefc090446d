package learner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

func set(v ...float32) *embed.Set { return &embed.Set{N: 3, C: 4, Data: v} }

// AllParts contains every part of package method, and every valid combination of classifier,
// weighting and solver works.
func TestAllPartsWork(t *testing.T) {
	a := set(1, 0, 0, 0.1, 2, 0.1, 0, 0, 1, 0.2, 0.1, 0)
	b := set(0, 1, 0, 0, 0.1, 0, 1, 0, 0, 0.2, 2, 0.1)
	query := set(1, 0.1, 0, 0.2, 2, 0, 0.2, 0, 1, 0.1, 0, 0)
	classes := []fewshot.Class{{Name: "a", Support: []*embed.Set{a, query}}, {Name: "b", Support: []*embed.Set{b, b}}}
	kit, made := learner.AllParts(), 0
	for _, weighting := range []string{"cross-reference", "equal", "k-means:2", "mean-shift"} {
		for _, solver := range []string{"simplex", "sinkhorn:0.05", "interior", "dense"} {
			for _, name := range method.Classifiers() {
				m, err := method.Default().With("classifier=" + name.Name + " weighting=" + weighting + " solver=" + solver)
				if err != nil {
					continue // SFC cannot learn merged nodes
				}
				made++
				classifier := require.Value(kit.Classifier(m, learner.Tuning{Passes: 2}))(t)
				if err := classifier.Fit(classes); err != nil {
					t.Errorf("%v: %v", m, err)
					continue
				}
				if scores, err := classifier.Scores(nil, query); err != nil || fewshot.Best(scores) != 0 {
					t.Errorf("%v: scores %v, error %v", m, scores, err)
				}
			}
		}
	}
	if want := 4 * 4 * len(method.Classifiers()); made != want-8 {
		t.Errorf("%d of %d combinations made, want all but 8", made, want)
	}
	for _, e := range method.Embedders() {
		require.Value(kit.Embedder(method.Embedder{Kind: e.Name}))(t)
	}
}

func TestMatcher(t *testing.T) {
	kit := learner.AllParts()
	m := require.Value(method.Parse("solver=sinkhorn:0.5 weighting=k-means:3 temperature=3"))(t)
	matcher, err := kit.Matcher(m)
	if err != nil || matcher.Solver.(*solver.Sinkhorn).Strength != 0.5 || fmt.Sprint(matcher.Weighting) != "k-means:3" || matcher.Temperature != 3 {
		t.Errorf("%+v, %v", matcher, err)
	}
	if other, _ := kit.Matcher(m); other.Solver == matcher.Solver {
		t.Error("two matchers share a solver's working memory")
	}
	if s, err := kit.Solver("simplex"); s != nil || err != nil {
		t.Errorf("the exact solver is %v, %v; want nil, which stands for it", s, err)
	}
	if s, err := kit.Solver("sinkhorn"); err != nil || s.(*solver.Sinkhorn).Strength != solver.Strength {
		t.Errorf("%v, %v", s, err)
	}
}

// A kit returns an error for a part that it lacks, and the errors of an invalid method.
func TestErrors(t *testing.T) {
	page := learner.CommonParts()
	for text, want := range map[string]string{
		"classifier=sfc":       `no classifier "sfc": want mixture, prototype, nearest, fusion, merge or cosine (Go: Options.Kit can be AllParts)`,
		"weighting=mean-shift": `no node weights "mean-shift": want cross-reference or equal (Go: Options.Kit can be AllParts)`,
		"solver=interior":      `no solver "interior": want simplex or dense (Go: Options.Kit can be AllParts)`,
	} {
		m := require.Value(method.Parse(text))(t)
		if c, err := page.Classifier(m, learner.Tuning{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want one that says %q", text, c, err, want)
		}
	}
	wrong := method.Default()
	wrong.Classifier = "magic"
	if _, err := page.Classifier(wrong, learner.Tuning{}); err == nil || strings.Contains(err.Error(), "AllParts") {
		t.Errorf("a classifier that no kit has: error %v", err)
	}
	if _, err := page.Classifier(method.Default(), learner.Tuning{Passes: -1}); err == nil || !strings.Contains(err.Error(), "-1 passes") {
		t.Errorf("negative passes: error %v", err)
	}
	if _, err := page.Classifier(method.Method{}, learner.Tuning{}); err == nil {
		t.Error("no error for a method that says nothing")
	}
	if _, err := page.Embedder(method.Embedder{Kind: method.Grid, Ratio: -1}); err == nil || !strings.Contains(err.Error(), "ratio") {
		t.Errorf("an impossible embedder: error %v", err)
	}
	one := page
	one.Classifiers = map[string]func(learner.Settings) fewshot.Classifier{method.Nearest: page.Classifiers[method.Nearest]}
	if _, err := one.Classifier(method.Default(), learner.Tuning{}); err == nil || !strings.Contains(err.Error(), "want nearest") {
		t.Errorf("error %v", err)
	}
	one.Classifiers = nil
	if _, err := one.Classifier(method.Default(), learner.Tuning{}); err == nil || !strings.Contains(err.Error(), "the kit has no classifier") {
		t.Errorf("error %v", err)
	}
	if _, err := page.Embedder(method.Embedder{Kind: "eye"}); err == nil || !strings.Contains(err.Error(), `no embedder "eye"`) {
		t.Errorf("error %v", err)
	}
}

func ExampleKit_Classifier() {
	m, err := method.Parse("classifier=nearest")
	if err != nil {
		fmt.Println(err)
		return
	}
	classifier, err := learner.AllParts().Classifier(m, learner.Tuning{})
	fmt.Printf("%T %v\n", classifier, err)
	// Output: *fewshot.Nearest <nil>
}
