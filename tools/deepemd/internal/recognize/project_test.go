package recognize

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// probabilities classifies and returns the probability of each class, query by query.
func probabilities(t *testing.T, args ...string) []map[string]float64 {
	t.Helper()
	var all []map[string]float64
	for _, a := range classified(t, args...).Answers {
		p := map[string]float64{}
		for _, s := range a.Scores {
			p[s.Class] = s.Score
		}
		all = append(all, p)
	}
	return all
}

// A project made of folders answers as the folders do: from its embeddings, and,
// with another network input, from its images.
func TestProject(t *testing.T) {
	support, queries := cmdtest.Pictures(t, 2), t.TempDir()
	for class, name := range cmdtest.ClassNames {
		cmdtest.Picture(t, filepath.Join(queries, name+".png"), class, 7)
	}
	for name, flags := range map[string][]string{
		"fcn":  nil,
		"grid": {"--embedder", "grid", "--grid", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "things.deepemd")
			require.Value(cmdtest.Run(append([]string{"project", "make", "--support", support, file}, flags...)...))(t)
			got := probabilities(t, "--project", file, queries)
			want := probabilities(t, append([]string{"--support", support, queries}, flags...)...)
			for i := range want {
				for class, p := range want[i] {
					if !(math.Abs(got[i][class]-p) <= 1e-6) {
						t.Errorf("query %d: %s has %v, want %v", i, class, got[i][class], p)
					}
				}
			}
			anew := probabilities(t, "--project", file, "--size", "64", queries)
			if len(anew) != 3 || len(anew[0]) != 3 {
				t.Errorf("with another size: %v", anew)
			}
			// Another network embeds the examples again, with a note.
			const note = "was taught with another network, " + network.ResNet12Photo
			query := filepath.Join(queries, cmdtest.ClassNames[0]+".png")
			if printed, err := cmdtest.Run("classify", "--project", file, query); err != nil || strings.Contains(printed, note) {
				t.Errorf("error %v, printed %s", err, printed)
			}
			cmdtest.Prints(t, note, "classify", "--project", file, "--weights", cmdtest.Weights(t, nil), query)
			namesake := cmdtest.Weights(t, func(f *weights.File) { f.Meta.Name = network.ResNet12Photo })
			if printed, err := cmdtest.Run("classify", "--project", file, "--weights", namesake, query); err != nil ||
				!strings.Contains(printed, fmt.Sprintf("other weights of the same name (SHA-256 %.12s…)", archive.Digest(network.ResNet12PhotoWeights()))) {
				t.Errorf("error %v, with other weights of the same name printed %s", err, printed)
			}
			own := filepath.Join(t.TempDir(), "own.deepemd")
			require.Value(cmdtest.Run(append([]string{"project", "make", "--support", support, own, "--weights", namesake}, flags...)...))(t)
			cmdtest.Prints(t, "; to use its own network, give that file with --weights", "classify", "--project", own, query)
			// A project of another network in the program opens with that network.
			small := filepath.Join(t.TempDir(), "small.deepemd")
			require.Value(cmdtest.Run(append([]string{"project", "make", "--support", support, small, "--weights", network.ResNet12XS}, flags...)...))(t)
			got, want = probabilities(t, "--project", small, queries), probabilities(t, "--project", small, "--weights", network.ResNet12XS, queries)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("of %s: %v, want %v", network.ResNet12XS, got, want)
			}
			if printed, err := cmdtest.Run("classify", "--project", small, query); err != nil || strings.Contains(printed, "another network") {
				t.Errorf("error %v, printed %s", err, printed)
			}
			cmdtest.Prints(t, "another network, "+network.ResNet12XS, "classify", "--project", small, "--weights", network.ResNet12Photo, query)
			var m project.Manifest
			if text := require.Value(cmdtest.Run("project", "info", "--json", file))(t); json.Unmarshal([]byte(text), &m) != nil || m.Examples() != 6 || m.Network == nil {
				t.Errorf("as JSON: %s", text)
			}
			info := require.Value(cmdtest.Run("project", "info", file))(t)
			for _, says := range []string{"3 classes, 6 examples", "across: 2", network.ResNet12Photo, name} {
				if !strings.Contains(info, says) {
					t.Errorf("info lacks %q:\n%s", says, info)
				}
			}
		})
	}
}

// TestProjectOfFeatures: a project of features without pictures is in order, but the command cannot compute features.
func TestProjectOfFeatures(t *testing.T) {
	l := require.Value(learner.NewFromFeatures(learner.Shape{Name: "mine", Nodes: 1, Channels: 2}, learner.Options{}))(t)
	require.NoError(t, l.Add("cup", learner.Picture{Embedding: []float32{1, 2}}))
	file := filepath.Join(t.TempDir(), "cups.deepemd")
	require.NoError(t, atomicfile.Write(file, func(w io.Writer) error { return archive.Save(w, l, project.Manifest{Name: "Cups"}) }))
	cmdtest.Prints(t, "1 class, 1 example\n", "project", "info", file)
	cmdtest.Prints(t, "features: 1×2, mine\n", "project", "info", file)
	cmdtest.Fails(t, "is a project of features", "classify", "--project", file, file)
	cmdtest.Fails(t, "is a pipe or a device", "classify", "--project", os.DevNull, file)
}

// TestProjectForTheCommand: a note says that the studio lacks the classifier of a project.
func TestProjectForTheCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "things.deepemd")
	cmdtest.Prints(t, `lack the method of this project: no classifier "sfc"`, "project", "make", "--support", cmdtest.Pictures(t, 1), file, "--classifier", "sfc")
}

// TestProjectName: a project has the name of its folder, however that is given.
func TestProjectName(t *testing.T) {
	support, file := cmdtest.Pictures(t, 1), filepath.Join(t.TempDir(), "x.deepemd")
	things := filepath.Join(filepath.Dir(support), "things")
	require.NoError(t, os.Rename(support, things))
	t.Chdir(things)
	for _, named := range []string{".", things, "../things/"} {
		require.Value(cmdtest.Run("project", "make", "--support", named, file, "--weights", cmdtest.Weights(t, nil)))(t)
		if info := require.Value(cmdtest.Run("project", "info", file))(t); !strings.HasPrefix(info, "things (") {
			t.Errorf("of --support %s:\n%s", named, info)
		}
	}
}

func TestProjectErrors(t *testing.T) {
	dir := t.TempDir()
	letter, empty, net := filepath.Join(dir, "letter.deepemd"), filepath.Join(dir, "empty"), filepath.Join(dir, "net.pth")
	cmdtest.WriteText(t, net, "PK\x03\x04")
	photos := filepath.Join(dir, "photos.zip")
	cmdtest.WriteText(t, photos, string(bombs.Archive(bombs.Entry{Name: "dir/manifest.json"})))
	require.NoError(t, os.WriteFile(letter, []byte("Dear reader"), 0o644))
	require.NoError(t, os.Mkdir(empty, 0o755))
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"project", "info", letter}, []string{letter, "not a project file", "*.deepemd"}},
		{[]string{"project", "info", dir}, []string{"folder"}},
		{[]string{"project", "info", filepath.Join(dir, "none")}, []string{"none"}},
		{[]string{"project", "make", filepath.Join(dir, "x")}, []string{"--support"}},
		{[]string{"project", "make", "--support", empty, filepath.Join(dir, "x")}, []string{empty, "subfolders"}},
		{[]string{"project", "make", "--support", empty, net, "--weights", net}, []string{net, "overwrite an input"}},
		{[]string{"project", "make", "--support", empty, photos}, []string{photos, "overwrite a zip archive", "--force"}},
		{[]string{"classify", "--project", letter, letter}, []string{"not a project file"}},
		{[]string{"classify", "--project", letter, "--support", dir, letter}, []string{"one of them"}},
	} {
		_, err := cmdtest.Run(c.args...)
		if err == nil {
			t.Errorf("%q: no error", c.args)
			continue
		}
		for _, says := range c.says {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%q: %v: want it to say %q", c.args, err, says)
			}
		}
	}
}
