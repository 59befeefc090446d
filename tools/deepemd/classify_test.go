package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/methods"
)

// picture writes a picture of a class: stripes across or along, or a
// chessboard, each shifted by its number.
func picture(t *testing.T, path string, class, number int) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 48, 40))
	for i := range 48 * 40 {
		x, y := i%48+number, i/48+2*number
		on := [3]bool{x/6%2 == 0, y/6%2 == 0, (x/6+y/6)%2 == 0}[class]
		shade := uint8(40 + 20*class)
		if on {
			shade = 230
		}
		img.Set(i%48, i/48, color.RGBA{shade, uint8(80 * class), 255 - shade, 255})
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, img); err != nil {
		t.Fatal(err)
	}
}

var classNames = [3]string{"across", "along", "chess"}

// pictures makes a folder with so many pictures of each class.
func pictures(t *testing.T, each int) string {
	t.Helper()
	dir := t.TempDir()
	for class, name := range classNames {
		for n := range each {
			picture(t, filepath.Join(dir, name, fmt.Sprintf("%d.png", n)), class, n)
		}
	}
	return dir
}

func TestClassify(t *testing.T) {
	support, queries := pictures(t, 3), t.TempDir()
	for class, name := range classNames {
		picture(t, filepath.Join(queries, name+".png"), class, 7)
	}
	for _, method := range []string{"prototype", "nearest"} {
		stdout, err := run("classify", "--support", support, "--query", queries, "--classifier", method, "--json")
		if err != nil {
			t.Fatal(err)
		}
		var got classification
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Answers) != 3 || len(got.Classes) != 3 || got.Classes[0].Examples != 3 {
			t.Fatalf("%s: %s", method, stdout)
		}
		for i, a := range got.Answers {
			sum := 0.0
			for _, s := range a.Scores {
				sum += s.Score
			}
			if a.Predicted != classNames[i] || a.Scores[0].Class != a.Predicted || sum < 0.999 || sum > 1.001 {
				t.Errorf("%s: %s is taken for %s, probabilities sum to %g", method, a.Query, a.Predicted, sum)
			}
		}
	}
	table, err := run("classify", "--support", support, "--query", filepath.Join(queries, "chess.png"), filepath.Join(queries, "along.png"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"chess.png", "along.png", "across"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %s:\n%s", want, table)
		}
	}
}

func TestClassifyErrors(t *testing.T) {
	support := pictures(t, 1)
	query := filepath.Join(support, "chess", "0.png")
	corrupt := filepath.Join(t.TempDir(), "corrupt.png")
	whole, err := os.ReadFile(query)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(corrupt, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	hollow := pictures(t, 1)
	if err := os.MkdirAll(filepath.Join(hollow, "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	truncated := write(t, nil)
	raw, err := os.ReadFile(truncated)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(truncated, raw[:len(raw)-7], 0o644); err != nil {
		t.Fatal(err)
	}
	nan := write(t, nil)
	if raw, err = os.ReadFile(nan); err != nil {
		t.Fatal(err)
	}
	copy(raw[len(raw)-4:], []byte{0, 0, 0xc0, 0x7f})
	if err := os.WriteFile(nan, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	other := write(t, func(f *weights.File) { f.Tensors["encoder.layer3.0.bn2.bias"] = tensor.New(9) })
	cases := []struct {
		name string
		args []string
		want []string
	}{
		{"no support", []string{"--query", query}, []string{"--support"}},
		{"no query", []string{"--support", support}, []string{"--query"}},
		{"support that is not there", []string{"--support", "nowhere", "--query", query}, []string{"nowhere", "path"}},
		{"no classes", []string{"--support", filepath.Join(support, "chess"), "--query", query}, []string{"sub-folders"}},
		{"empty class", []string{"--support", hollow, "--query", query}, []string{"none", "no pictures"}},
		{"corrupt query", []string{"--support", support, "--query", corrupt}, []string{"corrupt.png"}},
		{"unknown classifier", []string{"--support", support, "--query", query, "--classifier", "magic"}, []string{"magic", "prototype"}},
		{"unknown weighting", []string{"--support", support, "--query", query, "--weighting", "heavy"}, []string{"heavy", "cross-reference"}},
		{"size", []string{"--support", support, "--query", query, "--size", "4"}, []string{"--size 4"}},
		{"truncated weights", []string{"--support", support, "--query", query, "--weights", truncated}, []string{"in.safetensors"}},
		{"weights with NaN", []string{"--support", support, "--query", query, "--weights", nan}, []string{"in.safetensors", "NaN"}},
		{"weights of another shape", []string{"--support", support, "--query", query, "--weights", other}, []string{"in.safetensors", "encoder.layer3.0.bn2.bias", "[9]"}},
		{"weights that are a picture", []string{"--support", support, "--query", query, "--weights", query}, []string{"0.png"}},
	}
	for _, c := range cases {
		_, err := run(append([]string{"classify"}, c.args...)...)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", c.name, err, want)
			}
		}
		if strings.Contains(err.Error(), "internal error") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Drawn episodes give the same accuracy on any number of threads; listed ones
// give logits of their shape.
func TestEval(t *testing.T) {
	dir := pictures(t, 6)
	args := []string{"eval", "--data", dir, "--way", "3", "--shot", "2", "--query", "3", "--episodes", "5", "--seed", "4", "--size", "32", "--json"}
	var results []evaluation
	for _, threads := range []string{"1", "3"} {
		stdout, err := run(append(args, "--threads", threads)...)
		if err != nil {
			t.Fatal(err)
		}
		var e evaluation
		if err := json.Unmarshal([]byte(stdout[strings.Index(stdout, "{"):]), &e); err != nil {
			t.Fatalf("%v in %s", err, stdout)
		}
		results = append(results, e)
	}
	if results[0].Accuracy != results[1].Accuracy || results[0].Interval != results[1].Interval {
		t.Errorf("one thread gives %g ± %g, three %g ± %g", results[0].Accuracy, results[0].Interval, results[1].Accuracy, results[1].Interval)
	}
	if r := results[0]; r.Episodes != 5 || r.Way != 3 || r.Shot != 2 || r.Queries != 3 || r.Accuracy < 0.8 {
		t.Errorf("%+v", r)
	}

	episodes := filepath.Join(t.TempDir(), "episodes.json")
	const list = `{"episodes_1shot": [{"support": ["across/0.png", "along/0.png", "chess/0.png"],
		"query": ["across/1.png", "along/1.png", "chess/1.png", "across/2.png", "along/2.png", "chess/2.png"]}]}`
	if err := os.WriteFile(episodes, []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	logits := filepath.Join(t.TempDir(), "logits.npy")
	if _, err := run("eval", "--data", dir, "--episodes", episodes, "--shot", "1", "--embedder", "fcn", "--pyramid", "2,1",
		"--resize", "40", "--size", "32", "--logits", logits); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(logits)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	npy, err := npyio.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var values []float32
	if err := npy.Read(&values); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(npy.Header.Descr.Shape) != "[1 6 3]" || len(values) != 18 {
		t.Errorf("logits of shape %v, want [1 6 3]", npy.Header.Descr.Shape)
	}
}

// Several classifiers see the same episodes: each has the accuracy that it has
// alone.
func TestEvalComparesClassifiers(t *testing.T) {
	args := []string{"eval", "--data", pictures(t, 6), "--way", "3", "--shot", "2", "--query", "3", "--episodes", "4", "--size", "32"}
	evaluated := func(more ...string) (e evaluation) {
		t.Helper()
		stdout, err := run(append(append(args, "--json"), more...)...)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(stdout[strings.Index(stdout, "{"):]), &e); err != nil {
			t.Fatalf("%v in %s", err, stdout)
		}
		return e
	}
	all := evaluated("--classifier", "all")
	if want := len(methods.Classifiers()); len(all.Classifiers) != want {
		t.Fatalf("%d classifiers, want %d", len(all.Classifiers), want)
	}
	for _, c := range all.Classifiers {
		if d := c.Accuracy - all.Classifiers[0].Accuracy; math.Abs(c.Difference-d) > 1e-9 || c.DifferenceInterval < 0 {
			t.Errorf("%s: difference %g ± %g, want %g", c.Name, c.Difference, c.DifferenceInterval, d)
		}
		if alone := evaluated("--classifier", c.Name); alone.Accuracy != c.Accuracy || alone.Interval != c.Interval || alone.Classifiers != nil {
			t.Errorf("%s: %g ± %g among others, %g ± %g alone", c.Name, c.Accuracy, c.Interval, alone.Accuracy, alone.Interval)
		}
		if c.QueryMS <= 0 || c.LearnMS < 0 {
			t.Errorf("%s takes %g ms a query, %g to learn", c.Name, c.QueryMS, c.LearnMS)
		}
	}
	printed, err := run(append(args, "--classifier", "prototype, cosine")...)
	if err != nil || !strings.Contains(printed, "ms a query") || !strings.Contains(printed, "cosine") {
		t.Errorf("%v, printed %q", err, printed)
	}
}

// How pictures are matched is a matter of flags, and is said.
func TestEvalSaysHowItMatches(t *testing.T) {
	args := []string{"eval", "--data", pictures(t, 6), "--way", "3", "--shot", "2", "--query", "3", "--episodes", "2", "--size", "32"}
	tests := []struct {
		more []string
		want []string
	}{
		{nil, []string{"prototype, cross-reference weights, "}},
		{[]string{"--weighting", "k-means:1", "--classifier", "merge"}, []string{"merge, k-means:1 weights, 1.0 clusters a picture (1 to 1), "}},
		{[]string{"--weighting", "mean-shift"}, []string{"prototype, mean-shift weights, ", " clusters a picture ("}},
		{[]string{"--solver", "sinkhorn:0.05"}, []string{"flows by sinkhorn:0.05"}},
		{[]string{"--solver", "interior", "--json"}, []string{`"solver": "interior:1e-06"`}},
		{[]string{"--solver", "dense", "--weighting", "equal"}, []string{"equal weights, flows by dense"}},
		{[]string{"--weighting", "mean-shift:1e9", "--json"}, []string{`"clusters": {`, `"most": 1`}},
		{[]string{"--classifier", "sfc", "--passes", "2"}, []string{", sfc, "}},
		{[]string{"--classifier", "all", "--passes", "1", "--weighting", "k-means:2"}, []string{"prediction-fusion"}},
	}
	for _, test := range tests {
		printed, err := run(append(args, test.more...)...)
		for _, want := range test.want {
			if err != nil || !strings.Contains(printed, want) {
				t.Errorf("%v: %v, printed %q, want %q", test.more, err, printed, want)
			}
		}
	}
}

func TestEvalErrors(t *testing.T) {
	dir := pictures(t, 3)
	cases := []struct {
		name string
		args []string
		want string
	}{
		{"no data", nil, "--data"},
		{"too many ways", []string{"--data", dir, "--way", "9"}, "9-way"},
		{"too few pictures", []string{"--data", dir, "--way", "3"}, "3 pictures"},
		{"split that is not there", []string{"--data", dir, "--split", "none.json"}, "none.json"},
		{"part without split", []string{"--data", dir, "--set", "val"}, "--split"},
		{"episodes that are not there", []string{"--data", dir, "--episodes", "e.json"}, "e.json"},
		{"a file of episodes with a seed", []string{"--data", dir, "--episodes", "e.json", "--seed", "1"}, "--seed"},
		{"no episodes", []string{"--data", dir, "--episodes", "0"}, "--episodes 0"},
		{"embedder", []string{"--data", dir, "--embedder", "magic"}, "--embedder magic"},
		{"classifier", []string{"--data", dir, "--classifier", "magic"}, "prototype, sfc"},
		{"weighting", []string{"--data", dir, "--weighting", "k-means"}, "such as k-means:5"},
		{"solver", []string{"--data", dir, "--solver", "magic"}, "--solver: no solver"},
		{"passes", []string{"--data", dir, "--passes", "-1"}, "--passes"},
		{"nodes that are merged and learned", []string{"--data", dir, "--way", "3", "--query", "2", "--episodes", "1", "--size", "32", "--classifier", "sfc", "--weighting", "mean-shift"}, "merged cannot be learned"},
		{"logits of several classifiers", []string{"--data", dir, "--classifier", "all", "--logits", "l.npy"}, "--logits takes one"},
		{"pyramid", []string{"--data", dir, "--way", "3", "--query", "2", "--episodes", "1", "--pyramid", "0"}, "pyramid level 0"},
		{"logits into no folder", []string{"--data", dir, "--logits", filepath.Join(dir, "none", "l.npy")}, "--logits"},
		{"data that are not there", []string{"--data", "gone.zip"}, "gone.zip"},
	}
	for _, c := range cases {
		if _, err := run(append([]string{"eval"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}
