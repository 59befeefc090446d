package flags_test

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
)

// parse returns the flags that a verb has which registers all of them.
func parse(t *testing.T, line string) *flags.Method {
	t.Helper()
	f, set := new(flags.Method), pflag.NewFlagSet("verb", pflag.ContinueOnError)
	f.RegisterClassifier(set, method.Default(), true)
	f.RegisterStrangers(set)
	f.RegisterEmbedder(set)
	var args []string
	for _, word := range strings.Split(line, "|") {
		if word = strings.TrimSpace(word); word != "" {
			args = append(args, word)
		}
	}
	if err := set.Parse(args); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return f
}

// The line --method changes the base method, then single flags change the result.
func TestOver(t *testing.T) {
	grid := method.Default()
	grid.Embedder = method.Embedder{Kind: method.Grid, Grid: []int{4}, Ratio: 1}
	grid.Balance = false
	for _, c := range []struct {
		base method.Method
		line string
		want string
	}{
		{method.Default(), "", ""},
		{method.Paper(), "", ""},
		{grid, "", ""},
		{grid, "--embedder=grid", ""},
		{grid, "--embedder=fcn | --pyramid=2,1", "embedder=fcn pyramid=2,1"},
		{grid, "--grid=2,3", "grid=2,3"},
		{method.Default(), "--embedder=grid", "embedder=grid grid=2,3 ratio=2"},
		{method.Default(), "--embedder=sampling | --patches=4 | --patch-seed=7", "embedder=sampling patches=4 seed=7"},
		{method.Default(), "--classifier=sfc | --weighting=equal | --solver=sinkhorn:0.5 | --temperature=3", "classifier=sfc weighting=equal solver=sinkhorn:0.5 temperature=3"},
		{method.Default(), "--balance=false | --strangers=off", "balance=off strangers=off"},
		{method.Paper(), "--balance | --strangers=0.7", "balance=on strangers=0.7"},
		{method.Paper(), "--strangers=on", "strangers=on"},
		{grid, "--method=classifier=nearest embedder=sampling strangers=1", "classifier=nearest embedder=sampling patches=9 strangers=1"},
		{grid, "--method=classifier=nearest balance=on | --classifier=merge | --balance=false", "classifier=merge"},
	} {
		want := require.Value(c.base.With(c.want))(t)
		if got, err := parse(t, c.line).Apply(c.base); err != nil || !got.Equal(want) {
			t.Errorf("%q over %v:\n%v, error %v, want\n%v", c.line, c.base, got, err, want)
		}
	}
}

func TestOverRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"--method=magic":      `--method: "magic": want name=value`,
		"--method=speed=3":    `--method: no setting "speed"`,
		"--embedder=magic":    `--embedder magic: no embedder "magic"`,
		"--grid=2":            "--embedder fcn: a grid goes with the embedder grid",
		"--classifier=magic":  `--classifier magic: no classifier "magic"`,
		"--weighting=heavy":   `--weighting: no node weights "heavy"`,
		"--solver=sinkhorn:0": "--solver: solver",
		"--temperature=-1":    "--temperature: temperature -1",
		"--strangers=2":       "--strangers: strictness 2: want a number from 0 to 1, or off",
		"--strangers=some":    "--strangers: strangers=some: want on, off or a number from 0 to 1",
		"--passes=-1":         "--passes: want",
		"--classifier=sfc | --weighting=k-means:3":         "--classifier sfc: classifier sfc trains nodes",
		"--method=classifier=sfc | --weighting=mean-shift": "--classifier sfc: classifier sfc trains nodes",
	} {
		if _, err := parse(t, line).Apply(method.Default()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

// Several classifiers are all over the same method, and share nothing.
func TestAll(t *testing.T) {
	names := func(line string) string {
		t.Helper()
		chosen, err := parse(t, line).Classifiers(method.Paper())
		if err != nil {
			return err.Error()
		}
		var names []string
		for _, c := range chosen {
			names = append(names, c.Classifier)
			if c.Balance || c.Strangers.Name {
				t.Errorf("%s: %s is not over the paper's: %v", line, c.Classifier, c.Method)
			}
			if a, b := c.New(), c.New(); a == b {
				t.Errorf("%s: two of %s are one", line, c.Classifier)
			}
		}
		return strings.Join(names, " ")
	}
	for line, want := range map[string]string{
		"":                            "prototype",
		"--classifier=sfc, dn4,merge": "sfc dn4 merge",
		"--classifier=all":            "mixture prototype sfc nearest fusion merge cosine euclidean matching cosine-head ridge-head linear-head dn4 prediction-fusion",
		"--classifier=all | --weighting=k-means:2": "mixture prototype nearest fusion merge cosine euclidean matching cosine-head ridge-head linear-head dn4 prediction-fusion",
		"--classifier=prototype,":                  `--classifier : no classifier ""`,
		"--classifier=all,sfc":                     `--classifier all: no classifier "all"`,
		"--classifier=sfc,dn4,sfc":                 `--classifier sfc,dn4,sfc: classifier "sfc" is named twice`,
		"--method=classifier=nearest":              "nearest",
	} {
		if got := names(line); got != want && !(strings.Contains(want, ":") && strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestHowNamesSolver(t *testing.T) {
	for solver, want := range map[string]string{
		"simplex": "", "sinkhorn": "sinkhorn:0.01", "sinkhorn:0.5": "sinkhorn:0.5", "interior": "interior:1e-06", "dense": "dense",
	} {
		m := method.Default()
		m.Solver = solver
		var how flags.How
		if how.Match(m); how.Solver != want {
			t.Errorf("%s is called %q, want %q", solver, how.Solver, want)
		}
	}
}
