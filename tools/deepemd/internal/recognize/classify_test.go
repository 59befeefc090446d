package recognize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestClassify(t *testing.T) {
	support, queries := cmdtest.Pictures(t, 3), t.TempDir()
	for class, name := range cmdtest.ClassNames {
		cmdtest.Picture(t, filepath.Join(queries, name+".png"), class, 7)
	}
	for _, method := range []string{"prototype", "nearest"} {
		got := cmdtest.JSON[classification](t, "classify", "--support", support, "--query", queries, "--classifier", method, "--json")
		if len(got.Answers) != 3 || len(got.Classes) != 3 || got.Classes[0].Examples != 3 {
			t.Fatalf("%s: %+v", method, got)
		}
		for i, a := range got.Answers {
			sum := 0.0
			for _, s := range a.Scores {
				sum += s.Score
			}
			if a.Predicted != cmdtest.ClassNames[i] || a.Scores[0].Class != a.Predicted || sum < 0.999 || sum > 1.001 {
				t.Errorf("%s: %s is taken for %s, probabilities sum to %g", method, a.Query, a.Predicted, sum)
			}
		}
	}
	table := require.Value(cmdtest.Run("classify", "--support", support, "--query", filepath.Join(queries, "chess.png"), filepath.Join(queries, "along.png")))(t)
	for _, want := range []string{"chess.png", "along.png", "across"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %s:\n%s", want, table)
		}
	}
}

// Unreadable files are left out and listed, or an error with --strict. The content decides for
// unknown endings.
func TestClassifyLeavesOut(t *testing.T) {
	support := cmdtest.Pictures(t, 2)
	query := filepath.Join(support, "chess", "0.png")
	whole := require.Value(os.ReadFile(query))(t)
	for name, content := range map[string][]byte{"half.png": whole[:len(whole)/2], "text.jpg": []byte("a text"), "notes": []byte("a text"), "no-ending": whole} {
		require.NoError(t, os.WriteFile(filepath.Join(support, "chess", name), content, 0o644))
	}
	args := []string{"classify", "--support", support, "--query", query}
	printed := require.Value(cmdtest.Run(args...))(t)
	for _, want := range []string{"from 7 pictures", "; 1 query, ", "left out 1 file that is not", "chess/notes", "half.png: the file ends", "text.jpg: not a picture"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not in %s", want, printed)
		}
	}
	cmdtest.Fails(t, "--strict", append(args, "--strict")...)
}

// A color profile that is not applied is named.
func TestClassifyNotesProfiles(t *testing.T) {
	support := cmdtest.Pictures(t, 1)
	for name, noted := range map[string]bool{"icc-lut.png": true, "icc-p3.png": false} {
		printed := require.Value(cmdtest.Run("classify", "--support", support, "--query", require.Shared(t, "cases/pictures/"+name)))(t)
		if strings.Contains(printed, "color profile is not applied") != noted {
			t.Errorf("%s: printed %s", name, printed)
		}
	}
}

// Names are harmless on a terminal, and do not start new lines.
func TestNamesStayNames(t *testing.T) {
	support := t.TempDir()
	for class, name := range []string{"\x1b[2Jred", "two\nlines", "gpj\u202eexe"} {
		cmdtest.Picture(t, filepath.Join(support, name, "1.png"), class, 0)
	}
	query := filepath.Join(t.TempDir(), "a\rb.png")
	cmdtest.Picture(t, query, 1, 7)
	printed := require.Value(cmdtest.Run("classify", "--support", support, "--query", query, "--strangers", "off"))(t)
	if strings.ContainsAny(printed, "\x1b\r\u202e") || strings.Contains(printed, "\nlines") {
		t.Errorf("printed %q", printed)
	}
	got := cmdtest.JSON[classification](t, "classify", "--support", support, "--query", query, "--strangers", "off", "--json")
	if got.Answers[0].Query != query || got.Answers[0].Predicted != "two\nlines" {
		t.Errorf("JSON says %+v", got.Answers[0])
	}
	x := filepath.Join(t.TempDir(), "x.index")
	cmdtest.WriteText(t, filepath.Join(support, "two\nlines", "left\nout.png"), "no picture")
	printed = require.Value(cmdtest.Run("index", support, "--out", x, "--weights", network.ResNet12XS))(t)
	printed += require.Value(cmdtest.Run("search", x, query, "--weights", network.ResNet12XS))(t)
	if strings.ContainsAny(printed, "\x1b\r\u202e") || strings.Contains(printed, "\nlines") || strings.Contains(printed, "\nout") || !strings.Contains(printed, `two\nlines/1.png`) {
		t.Errorf("printed %q", printed)
	}
}

func TestClassifyErrors(t *testing.T) {
	support := cmdtest.Pictures(t, 1)
	query := filepath.Join(support, "chess", "0.png")
	corrupt := filepath.Join(t.TempDir(), "corrupt.png")
	whole := require.Value(os.ReadFile(query))(t)
	require.NoError(t, os.WriteFile(corrupt, whole[:len(whole)/2], 0o644))
	hollow := cmdtest.Pictures(t, 1)
	require.NoError(t, os.MkdirAll(filepath.Join(hollow, "none"), 0o755))
	truncated := cmdtest.Weights(t, nil)
	raw := require.Value(os.ReadFile(truncated))(t)
	require.NoError(t, os.WriteFile(truncated, raw[:len(raw)-7], 0o644))
	nan := cmdtest.Weights(t, nil)
	raw = require.Value(os.ReadFile(nan))(t)
	copy(raw[len(raw)-4:], []byte{0, 0, 0xc0, 0x7f})
	require.NoError(t, os.WriteFile(nan, raw, 0o644))
	other := cmdtest.Weights(t, func(f *weights.File) { f.Tensors["encoder.layer3.0.bn2.bias"] = tensor.New(9) })
	cases := []struct {
		name string
		args []string
		want []string
	}{
		{"no support", []string{"--query", query}, []string{"--support"}},
		{"no query", []string{"--support", support}, []string{"--query"}},
		{"support that is not there", []string{"--support", "nowhere", "--query", query}, []string{"nowhere", "path"}},
		{"no classes", []string{"--support", filepath.Join(support, "chess"), "--query", query}, []string{"subfolders"}},
		{"empty class", []string{"--support", hollow, "--query", query}, []string{"none", "no images"}},
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
		_, err := cmdtest.Run(append([]string{"classify"}, c.args...)...)
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

// A folder of nothing has no score, and turns away what looks like it.
func TestClassifyWithNothing(t *testing.T) {
	support := cmdtest.Pictures(t, 3)
	query := filepath.Join(t.TempDir(), "query.png")
	cmdtest.Picture(t, query, 2, 7)
	nothing, decomposed := "vid\u00e9", "vide\u0301" // the second as macOS completes it
	require.NoError(t, os.Rename(filepath.Join(support, cmdtest.ClassNames[2]), filepath.Join(support, decomposed)))
	got := cmdtest.JSON[classification](t, "classify", "--support", support, "--nothing", decomposed, "--query", query, "--json", "--strangers", "off")
	if a := got.Answers[0]; !a.unknown() || a.Nothing != nothing || len(a.Scores) != 2 || len(got.Classes) != 2 || got.Nothing[0] != (classSize{nothing, 3}) {
		t.Errorf("%+v", got)
	}
	file := filepath.Join(t.TempDir(), "scene.deepemd")
	require.Value(cmdtest.Run("project", "make", "--support", support, "--nothing", nothing, file))(t)
	for _, c := range []struct {
		want string
		args []string
	}{
		{nothing + ": 3 background examples", []string{"project", "info", file}},
		{"(unknown: " + nothing + ")", []string{"classify", "--project", file, "--query", query}},
		{"and 3 background examples", []string{"classify", "--project", file, "--query", query}},
	} {
		cmdtest.Prints(t, c.want, c.args...)
	}
	for want, args := range map[string][]string{
		"no subfolder of that name": {"--support", support, "--nothing", "air"},
		"requires --support":        {"--project", file, "--nothing", nothing},
	} {
		cmdtest.Fails(t, want, append([]string{"classify", "--query", query}, args...)...)
	}
}
