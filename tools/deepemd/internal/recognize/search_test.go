package recognize

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/indexfile"
)

// indexed makes an index of pictures by class.
func indexed(t *testing.T, net string, flags ...string) (dir, index string) {
	t.Helper()
	dir = cmdtest.Pictures(t, 4)
	index = filepath.Join(t.TempDir(), "x.index")
	require.Value(cmdtest.Run(append([]string{"index", dir, "--weights", net, "--out", index}, flags...)...))(t)
	return dir, index
}

func TestIndexAndSearch(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	for _, flags := range [][]string{nil, {"--pyramid", "1"}, {"--embedder", "grid", "--grid", "2"}, {"--embedder", "sampling", "--patches", "3"}} {
		dir, x := indexed(t, net, flags...)
		for _, candidates := range []string{"0", "6", "all"} {
			f := cmdtest.JSON[findings](t, "search", x, filepath.Join(dir, "chess"), "--weights", net, "--candidates", candidates, "--top", "3", "--json")
			if f.Pictures != 12 || len(f.Queries) != 4 || f.Network != "random" || f.Source != dir ||
				f.Candidates != map[string]int{"0": 0, "6": 6, "all": 12}[candidates] {
				t.Errorf("%v: %+v", flags, f)
			}
			// What is in the index is found first, the others of its class with it.
			for i, q := range f.Queries {
				if len(q.Hits) != 3 || q.Hits[0].Picture != fmt.Sprintf("chess/%d.png", i) || q.Hits[0].Class != "chess" || q.Hits[0].Cosine < 0.999 {
					t.Errorf("%v, %s candidates: %+v", flags, candidates, q)
				}
				if scored := q.Hits[0].Score > 12.4; scored == (candidates == "0") {
					t.Errorf("%v, %s candidates: score %v", flags, candidates, q.Hits[0].Score)
				}
			}
		}
	}
}

// A search for more results than the default number of candidates matches as many candidates.
func TestSearchTop(t *testing.T) {
	net, dir, x := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 68), filepath.Join(t.TempDir(), "x.index")
	require.Value(cmdtest.Run("index", dir, "--weights", net, "--out", x))(t)
	query := filepath.Join(dir, "chess", "2.png")
	for _, flags := range [][]string{nil, {"--candidates", "203"}} {
		f := cmdtest.JSON[findings](t, append([]string{"search", x, query, "--weights", net, "--top", "203", "--json"}, flags...)...)
		if hits := f.Queries[0].Hits; len(hits) != 203 || hits[202].Score == 0 {
			t.Errorf("%v: %d hits, the last %+v", flags, len(hits), hits[len(hits)-1])
		}
	}
}

// Of several ranks, the first one writes the index and its export: the others need no folder for them.
func TestIndexRanks(t *testing.T) {
	dir, net, out := cmdtest.Pictures(t, 2), cmdtest.Weights(t, nil), t.TempDir()
	x, absent, vectors := filepath.Join(out, "x.index"), filepath.Join(out, "absent", "x.index"), filepath.Join(out, "vectors")
	making := func(out string) []string {
		return []string{"index", dir, "--weights", net, "--out", out, "--export", vectors}
	}
	for _, lines := range [][2][]string{
		{making(x), making(absent)},
		{{"index", x, "--export", vectors}, {"index", absent, "--export", vectors}},
	} {
		printed, err := cmdtest.Ranks(lines[:]...)
		if err != nil || strings.Count(printed, "6 vectors") != 1 {
			t.Errorf("%q: error %v, printed %s", lines, err, printed)
		}
		require.Value(os.Stat(filepath.Join(vectors, vectorsFile)))(t)
		require.NoError(t, os.RemoveAll(vectors))
	}
	if _, err := cmdtest.Ranks(making(absent), making(x)); err == nil || strings.Count(err.Error(), "is the path right?") != 2 {
		t.Errorf("without the first rank's folder: error %v, want the same on both", err)
	}
	cmdtest.Fails(t, "--weights does not change the export", "index", x, "--export", vectors, "--weights", net)
}

func TestSearchTableAndSheet(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	query := filepath.Join(dir, "along", "2.png")
	sheet := filepath.Join(t.TempDir(), "found.png")
	table, err := cmdtest.Run("search", x, query, "--weights", net, "--sheet", sheet)
	require.NoError(t, err)
	for _, want := range []string{"QUERY", "SCORE", "CLASS", "along/2.png", "12 pictures of " + dir, "ranked by DeepEMD"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	checkPNG(t, sheet)
	table, err = cmdtest.Run("search", x, query, "--weights", net, "--candidates", "0")
	if err != nil || strings.Contains(table, "SCORE") || !strings.Contains(table, "cosine of global descriptors") {
		t.Errorf("error %v, table:\n%s", err, table)
	}
	// The pictures went elsewhere.
	moved := filepath.Join(t.TempDir(), "moved")
	require.NoError(t, os.Rename(dir, moved))
	query = filepath.Join(moved, "along", "2.png")
	cmdtest.Fails(t, "current folder with --data", "search", x, query, "--weights", net, "--sheet", sheet)
	if _, err := cmdtest.Run("search", x, query, "--weights", net, "--sheet", sheet, "--data", moved); err != nil {
		t.Error(err)
	}
}

// TestTimesOfQueries: the table has the time of each query once, and the mean below.
func TestTimesOfQueries(t *testing.T) {
	r := findings{Queries: []searchResult{
		{Query: "a.png", Hits: make([]hit, 2), EmbedMs: 1, ChooseMs: 2, MatchMs: 3.5},
		{Query: "b.png", Hits: make([]hit, 1), EmbedMs: 1.5},
	}}
	var out strings.Builder
	r.print(&out)
	for _, want := range []string{" 6.5\n", " 1.5\n", ", 4.0 ms a query"} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("%q is not once in\n%s", want, out.String())
		}
	}
}

// Pictures outside class folders are indexed, too, and unreadable ones are left out.
func TestIndexOfAnything(t *testing.T) {
	net, dir := cmdtest.Weights(t, nil), t.TempDir()
	for i, name := range []string{"a.png", "b.png", "deep/er/c.png"} {
		cmdtest.Picture(t, filepath.Join(dir, name), i, 0)
	}
	for _, name := range []string{"broken.jpg", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("no picture"), 0o666))
	}
	x := filepath.Join(dir, "x.index")
	printed, err := cmdtest.Run("index", dir, "--weights", net, "--out", x)
	if err != nil || !strings.Contains(printed, "left out: ") || !strings.Contains(printed, "broken.jpg") || !strings.Contains(printed, "3 pictures, ") {
		t.Errorf("error %v, printed %q", err, printed)
	}
	index, err := indexfile.Open(x)
	require.NoError(t, err)
	defer index.Close()
	held := ""
	for i := range index.Len() {
		held += index.Name(i) + " " + index.Class(i) + ";"
	}
	if held != "a.png ;b.png ;deep/er/c.png deep;" {
		t.Errorf("the index holds %s", held)
	}
}

// TestIndexGrows: an index gets the pictures that it lacks and keeps those it has; pictures
// are removed, and come back.
func TestIndexGrows(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	before, err := os.ReadFile(x)
	require.NoError(t, err)
	added := filepath.Join(dir, "along", "new.png")
	cmdtest.Picture(t, added, 1, 9)
	run := func(want string, args ...string) {
		t.Helper()
		cmdtest.Prints(t, want, args...)
	}
	run("13 pictures of 3 classes: 1 added, 0 replaced, 0 removed", "index", dir, "--weights", net, "--out", x)
	run("along/new.png", "search", x, added, "--weights", net, "--top", "1")
	run("x.index: 4 pictures removed, 9 left", "unindex", x, "chess/*")
	run("9 pictures of "+dir, "search", x, added, "--weights", net)
	printed, err := cmdtest.Run("search", x, filepath.Join(dir, "chess", "0.png"), "--weights", net, "--top", "20")
	if err != nil || strings.Contains(printed, "  chess/") {
		t.Errorf("error %v, found\n%s", err, printed)
	}
	run("13 pictures of 3 classes: 4 added, 0 replaced, 0 removed", "index", dir, "--weights", net, "--out", x)
	run(": 0 added, 0 replaced, 0 removed", "index", dir, "--weights", net, "--out", x)
	for want, args := range map[string][]string{
		"no picture is called nothing/*":     {"unindex", x, "nothing/*", "along/*"},
		"takes an index and the names":       {"unindex", x},
		"`deepemd index` makes an index":     {"unindex", x + "x", "a"},
		"an index with other weights":        {"index", dir, "--weights", cmdtest.Weights(t, func(f *weights.File) { f.Meta.Name = "other" }), "--out", x},
		"an index of the pictures of " + dir: {"index", cmdtest.Pictures(t, 1), "--weights", net, "--out", x},
	} {
		cmdtest.Fails(t, want, args...)
	}
	after, err := os.ReadFile(x)
	if err != nil || len(after) <= len(before) {
		t.Errorf("%d bytes of %d before, error %v", len(after), len(before), err)
	}
}

// TestIndexMoved: with --moved, an index follows its folder, and keeps the features. Without it, and for a folder of
// other images, it is left alone. The folder's path may hold bytes that are not UTF-8.
func TestIndexMoved(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	before := cmdtest.ReadText(t, x)
	to := filepath.Join(t.TempDir(), "new\xe9")
	if err := os.Rename(dir, to); err != nil {
		to += "e" // the disk takes only UTF-8
		require.NoError(t, os.Rename(dir, to))
	}
	shown := folders.Text(to)
	cmdtest.Fails(t, "an index of the pictures of "+dir+", not of "+shown+": give --moved", "index", to, "--weights", net, "--out", x)
	empty := filepath.Join(t.TempDir(), "others")
	cmdtest.Picture(t, filepath.Join(empty, "other.png"), 1, 9)
	cmdtest.Fails(t, "--moved: "+empty+" has none of the pictures of "+x, "index", empty, "--weights", net, "--out", x, "--moved")
	if cmdtest.ReadText(t, x) != before {
		t.Error("the index has changed")
	}
	cmdtest.Picture(t, filepath.Join(to, "along", "new.png"), 1, 9)
	cmdtest.Prints(t, "13 pictures of 3 classes: 1 added, 0 replaced, 0 removed", "index", to, "--weights", net, "--out", x, "--moved")
	cmdtest.Prints(t, "13 pictures of 3 classes: 0 added, 0 replaced, 0 removed", "index", to, "--weights", net, "--out", x)
	cmdtest.Prints(t, "13 pictures of "+shown+",", "search", x, filepath.Join(to, "chess", "0.png"), "--weights", net)
}

// TestSearchUnfinished: a search notes that an index is incomplete, until `index` completes it, and
// rejects one without pictures.
func TestSearchUnfinished(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	search := []string{"search", x, filepath.Join(dir, "chess", "0.png"), "--weights", net}
	g := require.Value(indexfile.GrowAny(x))(t)
	require.NoError(t, errors.Join(g.Reopen(), g.Release()))
	cmdtest.Prints(t, "x.index is incomplete: it has 12 pictures; `deepemd index` adds the others", search...)
	cmdtest.Prints(t, "0 added, 0 replaced, 0 removed", "index", dir, "--weights", net, "--out", x)
	if printed, err := cmdtest.Run(search...); err != nil || strings.Contains(printed, "incomplete") {
		t.Errorf("error %v, printed %s", err, printed)
	}
	cmdtest.Prints(t, "12 pictures removed, 0 left", "unindex", x, "*/*")
	cmdtest.Fails(t, "x.index has no pictures: `deepemd index` adds them", search...)
}

func TestIndexOfSplit(t *testing.T) {
	net, dir := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 2)
	split := filepath.Join(t.TempDir(), "split.json")
	require.NoError(t, os.WriteFile(split, []byte(`{"train": ["across"], "test": ["along", "chess"]}`), 0o666))
	x := filepath.Join(t.TempDir(), "x.index")
	cmdtest.Prints(t, "4 pictures of 2 classes", "index", dir, "--weights", net, "--split", split, "--out", x)
}

func TestIndexErrors(t *testing.T) {
	net, dir, empty, out := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 1), t.TempDir(), filepath.Join(t.TempDir(), "x.index")
	hopeless := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(hopeless, "a.png"), []byte("no picture"), 0o666))
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"--out", out}, "takes one folder or zip archive, got 0"},
		{[]string{dir, dir, "--out", out}, "got 2"},
		{[]string{dir}, "--out is missing"},
		{[]string{dir, "--out", "-"}, "an index is a file"},
		{[]string{dir, "--out", filepath.Join(out, "none", "x")}, "--out: "},
		{[]string{dir, "--out", out, "--set", "val"}, "--set requires --split"},
		{[]string{empty, "--out", out}, "no images"},
		{[]string{hopeless, "--out", out}, "no image can be read"},
		{[]string{filepath.Join(dir, "none"), "--out", out}, "is the path right?"},
		{[]string{net, "--out", out}, "neither a folder nor a readable zip archive"},
		{[]string{dir, "--out", out, "--embedder", "magic"}, "--embedder magic"},
	}
	for _, test := range tests {
		cmdtest.Fails(t, test.want, append([]string{"index", "--weights", net}, test.args...)...)
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

func TestSearchErrors(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	query := filepath.Join(dir, "chess", "0.png")
	other := cmdtest.Weights(t, func(f *weights.File) { f.Meta.Name = "other" })
	raw := require.Value(os.ReadFile(x))(t)
	short, empty := filepath.Join(t.TempDir(), "short.index"), t.TempDir()
	require.NoError(t, os.WriteFile(short, raw[:len(raw)-100], 0o666))
	tests := []struct {
		args []string
		want string
	}{
		{nil, "takes an index and at least one query"},
		{[]string{x}, "takes an index and at least one query"},
		{[]string{x, query, "--weights", other}, "was made with other weights than " + other},
		{[]string{short, query}, "short.index: the index is cut off or damaged: index the pictures again"},
		{[]string{query, query}, "not an index of pictures"},
		{[]string{filepath.Join(dir, "none"), query}, "`deepemd index` makes an index"},
		{[]string{x, filepath.Join(dir, "none")}, "is the path right?"},
		{[]string{x, query, "--top", "0"}, "--top 0"},
		{[]string{x, query, "--candidates", "some"}, `--candidates "some": want a number of pictures, 0 or all`},
		{[]string{x, query, "--candidates", "-1"}, `--candidates "-1"`},
		{[]string{x, query, "--sheet", "x.gif"}, "ends in .png"},
		{append([]string{x, "--sheet", "x.png"}, slices.Repeat([]string{query}, 41)...), "41 queries"},
		{[]string{x, query, "--sheet", "x.png", "--data", filepath.Join(dir, "none")}, "current folder with --data"},
		{[]string{x, query, "--data", dir}, "--data requires --sheet"},
		{[]string{x, query, "--weighting", "magic"}, "--weighting"},
	}
	for _, test := range tests {
		cmdtest.Fails(t, test.want, append([]string{"search", "--weights", net}, test.args...)...)
	}
	if _, err := cmdtest.Run("search", x, empty); err == nil || err.Error() != empty+": the folder has no pictures: name one that has some" { // search has no flag --query
		t.Errorf("error %v", err)
	}
	if _, err := indexfile.Open(short); !errors.Is(err, gallery.ErrDamaged) {
		t.Errorf("error %v", err)
	}
}

// TestIndexOfARun: the folder of a run stands for its best network, for the index and for its queries.
func TestIndexOfARun(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	run, other := t.TempDir(), t.TempDir()
	for folder, file := range map[string]string{run: net, other: cmdtest.Weights(t, func(f *weights.File) { f.Meta.Name = "other" })} {
		require.NoError(t, os.Rename(file, filepath.Join(folder, netfile.BestFile)))
	}
	dir, x := indexed(t, run)
	query := filepath.Join(dir, "chess", "0.png")
	for _, same := range []string{run, filepath.Join(run, netfile.BestFile)} {
		if _, err := cmdtest.Run("search", x, query, "--weights", same); err != nil {
			t.Errorf("%s: %v", same, err)
		}
	}
	for _, args := range [][]string{{"search", x, query}, {"index", dir, "--out", x}} {
		cmdtest.Fails(t, "with other weights", append(args, "--weights", other)...)
	}
}
