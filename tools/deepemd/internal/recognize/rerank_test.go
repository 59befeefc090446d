package recognize

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

// runWith is cmdtest.Run with a standard input.
func runWith(stdin string, args ...string) (string, error) {
	var out bytes.Buffer
	command := verb.Root()
	command.SetIn(strings.NewReader(stdin))
	command.SetOut(&out)
	command.SetErr(&out)
	err := verb.Execute(command, args)
	return out.String(), err
}

// TestRerank: candidates given as ids or names are ranked as in a search.
func TestRerank(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	query := filepath.Join(dir, "along", "1.png")
	hits := func(printed string, err error) []hit {
		t.Helper()
		require.NoError(t, err)
		var f findings
		require.NoError(t, json.Unmarshal([]byte(printed), &f))
		return f.Queries[0].Hits
	}
	all := hits(cmdtest.Run("search", x, query, "--weights", net, "--candidates", "all", "--top", "12", "--json"))
	chosen := []int{7, 0, 5, 11}
	var want []hit
	var names []string
	for _, h := range all {
		if slices.Contains(chosen, h.ID) {
			want, names = append(want, h), append(names, h.Picture)
		}
	}
	asJSON := require.Value(json.Marshal(names))(t)
	file := filepath.Join(t.TempDir(), "ids.json")
	cmdtest.WriteText(t, file, "[7, 0, 5, 11]")
	if got := hits(cmdtest.Run("rerank", x, query, "--weights", net, "--candidates", file, "--json")); !reflect.DeepEqual(got, want) {
		t.Errorf("by ids: %+v, want %+v", got, want)
	}
	for _, list := range []string{"11\n5\n0\n7\n", string(asJSON), strings.Join(names, "\n")} {
		if got := hits(runWith(list, "rerank", x, query, "--weights", net, "--candidates", "-", "--json", "--top", "3")); !reflect.DeepEqual(got, want[:3]) {
			t.Errorf("%s: %+v, want %+v", list, got, want[:3])
		}
	}
	table, err := cmdtest.Run("rerank", x, query, "--weights", net, "--candidates", file)
	if err != nil || !strings.Contains(table, "the 4 of --candidates ranked by DeepEMD") || !strings.Contains(table, want[0].Picture) {
		t.Errorf("error %v, table:\n%s", err, table)
	}

	require.Value(cmdtest.Run("unindex", x, "across/*"))(t)
	for want, args := range map[string][]string{
		"takes an index and one query":                    {"rerank", x, "--candidates", file},
		"--candidates is missing":                         {"rerank", x, query},
		"--top 0":                                         {"rerank", x, query, "--candidates", file, "--top", "0"},
		"is the path right?":                              {"rerank", x, query, "--candidates", file + "x"},
		"the standard input: no candidates: want ids":     {"rerank", x, query, "--candidates", "-"},
		"picture 0 (across/0.png) was removed":            {"rerank", x, query, "--candidates", file},
		dir + ": is a directory":                          {"rerank", x, query, "--candidates", dir},
		"was made with other weights than ":               {"rerank", x, query, "--candidates", file, "--weights", cmdtest.Weights(t, func(f *weights.File) { f.Meta.Name = "other" })},
		"vector takes an index and at least one query":    {"vector", x},
		query + ": not an index of pictures":              {"vector", query, query},
		"takes one folder or zip archive, got 0: deepemd": {"index", "--out", x, "--export", "y"},
	} {
		if !slices.Contains(args, "--weights") && args[0] != "index" {
			args = append(args, "--weights", net)
		}
		if _, err := runWith("", args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", args, err, want)
		}
	}
	for list, want := range map[string]string{"99": "no picture 99, ids end at 11", `["none"]`: "no picture is called none", "[1, {}]": "candidate 2 is {}"} {
		if _, err := runWith(list, "rerank", x, query, "--weights", net, "--candidates", "-"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", list, err, want)
		}
	}
}

// TestVectorAndExport: the output of vector is close to the exported vector, and its products with
// the others are the cosines of a search.
func TestVectorAndExport(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	query := filepath.Join(dir, "chess", "2.png")
	printed := require.Value(cmdtest.Run("vector", x, query, filepath.Join(dir, "along"), "--weights", net))(t)
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	var of []float32
	if err := json.Unmarshal([]byte(lines[0]), &of); err != nil || len(lines) != 5 {
		t.Fatalf("%d lines, error %v", len(lines), err)
	}
	out := filepath.Join(t.TempDir(), "vectors")
	cmdtest.Prints(t, "12 vectors of ", "index", x, "--export", out)
	for _, name := range []string{vectorsFile, idsFile, "vectors.json"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	f := cmdtest.JSON[findings](t, "search", x, query, "--weights", net, "--candidates", "0", "--top", "12", "--json")
	raw := require.Value(os.ReadFile(filepath.Join(out, vectorsFile)))(t)
	values := make([]float32, 12*len(of))
	require.Value(binary.Decode(raw[len(raw)-4*len(values):], binary.LittleEndian, values))(t)
	for _, h := range f.Queries[0].Hits {
		product := 0.
		for c, v := range values[h.ID*len(of):][:len(of)] {
			product += float64(v) * float64(of[c])
		}
		if d := product - h.Cosine; d < -1e-3 || !(d <= 1e-3) {
			t.Errorf("picture %d: %v of the export, %v of the search", h.ID, product, h.Cosine)
		}
	}
	again, both := filepath.Join(t.TempDir(), "again.index"), filepath.Join(t.TempDir(), "both")
	cmdtest.Prints(t, "12 vectors of ", "index", dir, "--weights", net, "--out", again, "--export", both)
	if second, err := os.ReadFile(filepath.Join(both, vectorsFile)); err != nil || !bytes.Equal(second, raw) {
		t.Errorf("the export together with the index differs, error %v", err)
	}
	cmdtest.Fails(t, "--export: ", "index", x, "--export", filepath.Join(x, "in"))
	locked := filepath.Join(dir, "along", "locked")
	require.NoError(t, os.Mkdir(locked, 0))
	if _, err := os.ReadDir(locked); err != nil { // root can read every folder
		cmdtest.Fails(t, "locked (permission denied)", "vector", x, filepath.Join(dir, "along"), "--weights", net)
	}
}

// TestUnfitIndexes: every verb rejects an unusable index with its name and the cause.
func TestUnfitIndexes(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	query := filepath.Join(dir, "chess", "0.png")
	whole := require.Value(os.ReadFile(x))(t)
	newer := bytes.Clone(whole)
	newer[8]++
	table := crc32.MakeTable(crc32.Castagnoli)
	binary.LittleEndian.PutUint32(newer[60:], crc32.Checksum(newer[:60], table))
	flipped := func(at int) []byte {
		raw := bytes.Clone(whole)
		raw[at] ^= 4
		return raw
	}
	folder := t.TempDir()
	for name, test := range map[string]struct {
		raw    []byte
		want   string
		opened bool // it can be opened: nodes are checked when they are matched
	}{
		"newer":    {newer, "an index written by another version of deepemd: it has version 3, this one reads 2: index the pictures again", false},
		"cut":      {whole[:len(whole)*2/3], "the index is cut off or damaged: index the pictures again", false},
		"preamble": {flipped(20), "the index is cut off or damaged: index the pictures again", false},
		"catalog":  {flipped(200), "the index is cut off or damaged: index the pictures again", false},
		"nodes":    {flipped(len(whole) - 65 - 64 - 12*32), "picture chess/", true},
	} {
		path := filepath.Join(folder, name+".index")
		require.NoError(t, os.WriteFile(path, test.raw, 0o666))
		verbs := [][]string{{"search", path, query, "--weights", net}, {"rerank", path, query, "--weights", net, "--candidates", "-"}}
		if !test.opened {
			verbs = append(verbs, []string{"vector", path, query, "--weights", net}, []string{"index", path, "--export", filepath.Join(folder, "out")},
				[]string{"index", dir, "--out", path, "--weights", net}, []string{"unindex", path, "chess/0.png"})
		}
		for _, args := range verbs {
			_, err := runWith("8\n9\n10\n11\n", args...)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v: error %v, want one that says %q and names the file", name, args[0], err, test.want)
			}
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, test.raw) {
			t.Errorf("%s: the file is another now, error %v", name, err)
		}
	}
}
