package recognize

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// classified runs classify and returns its JSON output.
func classified(t *testing.T, args ...string) classification {
	t.Helper()
	return cmdtest.JSON[classification](t, append([]string{"classify", "--json"}, args...)...)
}

// same compares the answers of two classifications: scores within 1e-4, verdicts
// exactly where they are not on the threshold.
func same(t *testing.T, what string, got, want classification) {
	t.Helper()
	if len(got.Answers) != len(want.Answers) {
		t.Fatalf("%s: %d answers, want %d", what, len(got.Answers), len(want.Answers))
	}
	for i, w := range want.Answers {
		g := got.Answers[i]
		if g.Predicted != w.Predicted || len(g.Scores) != len(w.Scores) {
			t.Fatalf("%s: %s is %+v, want %+v", what, w.Query, g, w)
		}
		for j, s := range w.Scores {
			if g.Scores[j].Class != s.Class || !(math.Abs(g.Scores[j].Score-s.Score) <= 1e-4) || !(math.Abs(g.Scores[j].Logit-s.Logit) <= 1e-3) {
				t.Errorf("%s: %s is %+v, want %+v", what, w.Query, g.Scores[j], s)
			}
		}
		switch {
		case (g.Unknown == nil) != (w.Unknown == nil):
			t.Errorf("%s: %s has the verdict %v, want %v", what, w.Query, g.Unknown, w.Unknown)
		case w.Unknown == nil:
		case math.Abs(*w.Familiarity-*w.Threshold) > 1e-4 && *g.Unknown != *w.Unknown:
			t.Errorf("%s: %s unknown: %v, want %v", what, w.Query, *g.Unknown, *w.Unknown)
		}
	}
}

// unequal makes classes of 1, 3 and 6 examples, and queries from them and from noise.
func unequal(t *testing.T) (support, queries string) {
	t.Helper()
	support, queries = t.TempDir(), t.TempDir()
	for class, each := range []int{1, 3, 6} {
		name := cmdtest.ClassNames[class]
		for n := range each {
			cmdtest.Picture(t, filepath.Join(support, name, fmt.Sprintf("%d.png", n)), class, n)
		}
		cmdtest.Picture(t, filepath.Join(queries, name+".png"), class, 9)
	}
	r := rand.New(rand.NewPCG(1, 1))
	mediatest.PNG(t, filepath.Join(queries, "noise.png"), 48, 40, func(_, _ int) color.Color { return color.Gray{Y: uint8(r.IntN(256))} })
	return support, queries
}

// A project is answered by the method that it was made with, all of it, unless flags
// say otherwise.
func TestProjectKeepsItsMethod(t *testing.T) {
	support, queries := unequal(t)
	net := cmdtest.Weights(t, nil)
	file := filepath.Join(t.TempDir(), "things.deepemd")
	how := []string{"--weights", net, "--classifier", "nearest", "--weighting", "equal", "--solver", "sinkhorn:0.05", "--temperature", "20",
		"--balance=false", "--strangers", "0.9", "--embedder", "grid", "--grid", "2"}
	require.Value(cmdtest.Run(append([]string{"project", "make", "--support", support, file}, how...)...))(t)
	const line = "embedder=grid grid=2 ratio=2 classifier=nearest weighting=equal solver=sinkhorn:0.05 temperature=20 balance=off strangers=0.9"
	cmdtest.Prints(t, line, "project", "info", file)
	want := classified(t, append([]string{"--support", support, queries}, how...)...)
	got := classified(t, "--project", file, "--weights", net, queries)
	if got.Method != line || want.Method != line {
		t.Errorf("the methods are\n%s\n%s, want\n%s", got.Method, want.Method, line)
	}
	same(t, "the project", got, want)

	// A line that says all of it does the same, and single flags change one thing.
	same(t, "the line", classified(t, "--support", support, queries, "--weights", net, "--method", line), want)
	fusion := classified(t, "--project", file, "--weights", net, "--classifier", "fusion", "--strangers", "off", queries)
	if fusion.Method != strings.Replace(strings.Replace(line, "nearest", "fusion", 1), "strangers=0.9", "strangers=off", 1) || fusion.Answers[0].Unknown != nil {
		t.Errorf("with flags the method is %s, the verdict %v", fusion.Method, fusion.Answers[0].verdict)
	}
}

// Classes of unequal size are balanced by default, as in the studio.
func TestClassesAreBalanced(t *testing.T) {
	support, queries := unequal(t)
	net := cmdtest.Weights(t, nil)
	balanced := classified(t, "--support", support, queries, "--weights", net)
	if balanced.Method != method.Default().String() {
		t.Errorf("the method is %s, want the default", balanced.Method)
	}
	plain := classified(t, "--support", support, queries, "--weights", net, "--balance=false")
	changed := false
	for i, a := range balanced.Answers {
		logits := map[string]float64{}
		for _, s := range plain.Answers[i].Scores {
			logits[s.Class] = s.Logit
		}
		for _, s := range a.Scores {
			changed = changed || math.Abs(s.Logit-logits[s.Class]) > 1e-3
		}
	}
	if !changed {
		t.Error("balance changes nothing")
	}
}

// What is of none of the classes is called unknown, in JSON and in the table; the best
// class is named all the same.
func TestUnknown(t *testing.T) {
	support, queries := unequal(t)
	net := cmdtest.Weights(t, nil)
	args := []string{"--support", support, queries, "--weights", net}
	counts := map[string]int{}
	for _, strictness := range []string{"0", "0.42", "1"} {
		c := classified(t, append(args, "--strangers", strictness)...)
		table := require.Value(cmdtest.Run(append(append([]string{"classify"}, args...), "--strangers", strictness)...))(t)
		for _, a := range c.Answers {
			if a.Unknown == nil || a.Familiarity == nil || a.Threshold == nil {
				t.Fatalf("%s has no verdict", a.Query)
			}
			if *a.Unknown != (*a.Familiarity < *a.Threshold) || a.Predicted != a.Scores[0].Class {
				t.Errorf("%s: %+v", a.Query, a)
			}
			if *a.Unknown {
				counts[strictness]++
			}
			_, rows, found := strings.Cut(table, "\n"+a.Query)
			if !found || strings.HasPrefix(strings.TrimSpace(rows), "(unknown)") != *a.Unknown {
				t.Fatalf("%s, unknown: %v, in the table\n%s", a.Query, *a.Unknown, table)
			}
			sum, own := 0.0, strings.SplitAfterN(rows, "\n", len(a.Scores)+2)[:len(a.Scores)+1]
			for _, row := range own {
				for _, field := range strings.Fields(row) {
					if p, err := strconv.ParseFloat(field, 64); err == nil {
						sum += p
						break
					}
				}
			}
			if strings.Contains(own[len(a.Scores)], "less than the classes together") != a.Together {
				t.Errorf("%s, together: %v, in the table\n%s", a.Query, a.Together, table)
			}
			if !(math.Abs(sum-1) <= 1e-3) {
				t.Errorf("the probabilities of %s sum to %.4f, want 1:\n%s", a.Query, sum, table)
			}
		}
	}
	if !(counts["0"] <= counts["0.42"] && counts["0.42"] <= counts["1"] && counts["0"] < counts["1"]) {
		t.Errorf("unknown by strictness: %v, want more the stricter", counts)
	}
	stdout, err := cmdtest.Run(append(append([]string{"classify", "--json"}, args...), "--strangers", "off")...)
	if err != nil || strings.Contains(stdout, "unknown") || strings.Contains(stdout, "threshold") {
		t.Errorf("error %v; nobody asked for strangers:\n%s", err, stdout)
	}
}

// Disabled classes are in the file and in no answer.
func TestDisabledClass(t *testing.T) {
	support, queries := unequal(t)
	var o teaching
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.register(set)
	require.NoError(t, set.Parse([]string{"--weights", cmdtest.Weights(t, nil), "--support", support}))
	l := require.Value(o.byFolders(io.Discard))(t)
	save := func(off ...string) string {
		t.Helper()
		for _, id := range off {
			require.NoError(t, l.EnableClass(id, false))
		}
		path := filepath.Join(t.TempDir(), "things.deepemd")
		file := require.Value(os.Create(path))(t)
		defer file.Close()
		require.NoError(t, archive.Save(file, l.Learner, project.Manifest{Name: "things"}))
		return path
	}
	c := classified(t, "--project", save("class-2"), "--weights", o.network.Weights, queries)
	if len(c.Classes) != 2 || len(c.Answers[0].Scores) != 2 {
		t.Errorf("classes %+v, answers %+v, want none of %s", c.Classes, c.Answers[0], cmdtest.ClassNames[1])
	}
	for _, s := range c.Answers[0].Scores {
		if s.Class == cmdtest.ClassNames[1] {
			t.Errorf("%s is switched off and answers", s.Class)
		}
	}
	cmdtest.Fails(t, "no enabled class", "classify", "--project", save("class-1", "class-3"), "--weights", o.network.Weights, queries)
}

// The kind of a project selects the network for sounds.
func TestSoundProject(t *testing.T) {
	support, queries := cmdtest.Chirps(t, 2), t.TempDir()
	for class, name := range cmdtest.ChirpNames {
		cmdtest.Chirp(t, filepath.Join(queries, name+".wav"), class, 3)
	}
	file := filepath.Join(t.TempDir(), "words.deepemd")
	require.Value(cmdtest.Run("project", "make", "--sound", "--support", support, file))(t)
	if info, err := cmdtest.Run("project", "info", file); err != nil || !strings.Contains(info, "(sound, ") || !strings.Contains(info, "resnet12-sound") {
		t.Errorf("info says %v\n%s", err, info)
	}
	want := classified(t, "--sound", "--support", support, queries)
	for _, more := range [][]string{nil, {"--sound"}} {
		got := classified(t, append([]string{"--project", file, queries}, more...)...)
		if !got.Sound || got.Network != "resnet12-sound" {
			t.Errorf("%q: answered by %s, sound: %v", more, got.Network, got.Sound)
		}
		same(t, "the project of sounds", got, want)
	}
	pictures := filepath.Join(t.TempDir(), "pictures.deepemd")
	require.Value(cmdtest.Run("project", "make", "--support", cmdtest.Pictures(t, 1), "--weights", cmdtest.Weights(t, nil), pictures))(t)
	cmdtest.Fails(t, "leave out --sound", "classify", "--sound", "--project", pictures, queries)
}

// Files that systems leave among examples and queries are none of either.
func TestHiddenFilesAreNoExamples(t *testing.T) {
	support, queries := unequal(t)
	for _, dir := range []string{support, filepath.Join(support, "chess"), queries} {
		for _, name := range []string{".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX/chess/._1.png"} {
			cmdtest.WriteText(t, filepath.Join(dir, filepath.FromSlash(name)), "no picture")
		}
	}
	c := classified(t, "--support", support, queries, "--weights", cmdtest.Weights(t, nil))
	if len(c.Classes) != 3 || c.Classes[2].Examples != 6 || len(c.Answers) != 4 {
		t.Errorf("classes %+v, %d answers, want 3 and 4", c.Classes, len(c.Answers))
	}
}
