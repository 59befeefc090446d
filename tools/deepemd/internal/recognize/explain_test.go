package recognize

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestExplainDraws(t *testing.T) {
	dir, net, out := cmdtest.Pictures(t, 2), cmdtest.Weights(t, nil), filepath.Join(t.TempDir(), "new", "folder")
	a, b := filepath.Join(dir, "across", "0.png"), filepath.Join(dir, "across", "1.png")
	args := []string{"explain", a, b, "--weights", net, "--scale", "0.5"}
	for _, embedder := range [][]string{
		nil, {"--pyramid", "1"}, {"--embedder", "grid", "--grid", "2,1"}, {"--embedder", "sampling", "--patches", "4"},
		{"--weighting", "k-means:2"}, {"--solver", "sinkhorn", "--resize", "36"},
	} {
		printed, err := cmdtest.Run(append(append(args, "--out", out), embedder...)...)
		if err != nil {
			t.Fatalf("%v: %v", embedder, err)
		}
		if !strings.Contains(printed, "score ") || !strings.Contains(printed, "most of the score") {
			t.Errorf("%v: printed %q", embedder, printed)
		}
		for _, f := range drawings {
			path := filepath.Join(out, f.name+".png")
			if !strings.Contains(printed, path) {
				t.Errorf("%v: %s is not named", embedder, path)
			}
			checkPNG(t, path)
			if err := os.Remove(path); err != nil {
				t.Error(err)
			}
		}
	}
	one := filepath.Join(out, "one.PNG")
	require.Value(cmdtest.Run(append(args, "--out", one, "--what", "weights")...))(t)
	checkPNG(t, one)
	if left, err := os.ReadDir(out); err != nil || len(left) != 1 {
		t.Errorf("%d files where one was asked for, error %v", len(left), err)
	}
}

// The pairs with most of a score come first, for either sign; only a positive score has percentages.
func TestExplainShares(t *testing.T) {
	for score, want := range map[float64]string{2: "150.0%  node 0", -1: "-2.0000  node 1", 0: " 3.0000  node 0"} {
		x := explanation{Score: score, Temperature: 1, Links: []link{{From: 1, Score: -2}, {From: 0, Score: 3}}}
		x.From.Nodes, x.To.Nodes = make([]node, 2), make([]node, 1)
		var out strings.Builder
		x.print(&out)
		if lines := strings.Split(out.String(), "\n"); !strings.HasPrefix(strings.TrimSpace(lines[2]), strings.TrimSpace(want)) {
			t.Errorf("score %g: %q, want %q first", score, lines[2:4], want)
		}
	}
}

// checkPNG checks that a file is an image with something on it.
func checkPNG(t *testing.T, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Errorf("%s: %v", path, err)
	} else if size := img.Bounds(); size.Dx() < 400 || size.Dy() < 100 {
		t.Errorf("%s is of %v", path, size)
	}
}

// The JSON is whole: the score can be computed from the costs and the flow, and
// the weights from the flow.
func TestExplainJSON(t *testing.T) {
	dir, net := cmdtest.Pictures(t, 1), cmdtest.Weights(t, nil)
	a, b := filepath.Join(dir, "across", "0.png"), filepath.Join(dir, "chess", "0.png")
	work := t.TempDir()
	t.Chdir(work)
	x := cmdtest.JSON[explanation](t, "explain", a, b, "--weights", net, "--json", "--embedder", "grid", "--grid", "2,1")
	if x.From.Picture != a || x.To.Picture != b || len(x.From.Nodes) != 5 || len(x.To.Nodes) != 5 || x.Network != "random" ||
		x.Weighting != "cross-reference" || x.Embedder != "grid" || x.Files != nil || x.Temperature != method.Temperature {
		t.Errorf("the JSON says %+v", x)
	}
	var score, links float64
	for i, row := range x.Flow {
		var sent float64
		for j, f := range row {
			score += x.Temperature / 5 * (1 - x.Cost[i][j]) * f
			sent += f
		}
		if !(math.Abs(sent-x.From.Nodes[i].Weight) <= 1e-9) {
			t.Errorf("node %d weighs %v and sends %v", i, x.From.Nodes[i].Weight, sent)
		}
	}
	for _, l := range x.Links {
		links += l.Score
	}
	if !(math.Abs(score-x.Score) <= 1e-9) || !(math.Abs(links-x.Score) <= 1e-9) {
		t.Errorf("score %v, from costs and flow %v, from links %v", x.Score, score, links)
	}
	if side := explainSide("lat\xe9in.png", nil); side.Picture != `lat\xe9in.png` {
		t.Errorf("a name that is not UTF-8 is %q", side.Picture)
	}
	// The central 40×40 pixels of the 48×40 image are embedded.
	if want := [4]float32{0, 0, 1, 1}; x.From.Nodes[4].Region != want {
		t.Errorf("the whole picture is %v", x.From.Nodes[4].Region)
	}
	if left, err := os.ReadDir(work); err != nil || len(left) > 0 {
		t.Errorf("--json without --out left %v, error %v", left, err)
	}
	out := filepath.Join(work, "why.png")
	x = cmdtest.JSON[explanation](t, "explain", a, b, "--weights", net, "--json", "--out", out, "--what", "overview", "--scale", "0.5")
	if !reflect.DeepEqual(x.Files, []string{out}) {
		t.Errorf("files %v", x.Files)
	}
	checkPNG(t, out)
}

func TestExplainErrors(t *testing.T) {
	dir, net := cmdtest.Pictures(t, 1), cmdtest.Weights(t, nil)
	a := filepath.Join(dir, "across", "0.png")
	text := filepath.Join(dir, "text.jpg")
	require.NoError(t, os.WriteFile(text, []byte("no picture"), 0o666))
	tests := []struct {
		args []string
		want string
	}{
		{nil, "takes two pictures, got 0"},
		{[]string{a}, "takes two pictures, got 1"},
		{[]string{a, a, a}, "takes two pictures, got 3"},
		{[]string{a, filepath.Join(dir, "none.png")}, "is the path right?"},
		{[]string{a, text}, "text.jpg: "},
		{[]string{a, dir}, "name a file in it"},
		{[]string{a, a, "--what", "magic"}, "--what magic: want one or several of overview, matches, flow, weights"},
		{[]string{a, a, "--what", "flow", "--json"}, "--json makes only with --out"},
		{[]string{a, a, "--out", "x.png"}, "with --what, or name a folder"},
		{[]string{a, a, "--out", text}, "does not end in .png"},
		{[]string{a, a, "--out", "why.JPG"}, "does not end in .png"},
		{[]string{a, a, "--out", filepath.Join(text, "folder")}, "--out: "},
		{[]string{a, a, "--what", "flow", "--out", a}, "the output would overwrite an input"},
		{[]string{a, a, "--scale", "100"}, "--scale 100: want 0.5 to 8"},
		{[]string{a, a, "--weighting", "magic"}, "--weighting: no node weights"},
		{[]string{a, a, "--solver", "magic"}, "--solver: no solver"},
		{[]string{a, a, "--embedder", "magic"}, "--embedder magic"},
	}
	for _, test := range tests {
		cmdtest.Fails(t, test.want, append([]string{"explain", "--weights", net}, test.args...)...)
	}
}

func TestShortNames(t *testing.T) {
	for pair, want := range map[[2]string][2]string{
		{"a/1.jpg", "b/2.jpg"}: {"1.jpg", "2.jpg"},
		{"a/1.jpg", "b/1.jpg"}: {filepath.Join("a", "1.jpg"), filepath.Join("b", "1.jpg")},
		{"1.jpg", "x/b/1.jpg"}: {"1.jpg", filepath.Join("b", "1.jpg")},
	} {
		if got := shortNames(pair[0], pair[1]); got != want {
			t.Errorf("%v: %v, want %v", pair, got, want)
		}
	}
}
