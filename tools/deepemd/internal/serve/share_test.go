package serve

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// builtSite returns a folder with what share takes from a built site.
func builtSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmdtest.WriteText(t, filepath.Join(dir, publish.Template),
		"<!DOCTYPE html>\n"+`<html lang="en" data-language="{{language}}" data-parents="{{parents}}"><title>{{title}}</title>{{parts}}</html>`)
	cmdtest.WriteText(t, filepath.Join(dir, publish.Engine(project.KindImage)), "engine")
	cmdtest.WriteText(t, filepath.Join(dir, publish.Engine(project.KindSound)), "engine for sounds")
	return dir
}

// projectOf writes a project file of one example, changed by change, and returns its path.
func projectOf(t *testing.T, change func(*project.Manifest)) string {
	t.Helper()
	m := &project.Manifest{Kind: project.KindImage, Name: "Cups & pens", Method: method.Default(), Classes: []project.Class{
		{ID: "class-1", Label: "cup", Examples: []project.Example{{ID: "example-1"}}}, {ID: "class-2", Label: "pen"},
	}}
	if change != nil {
		change(m)
	}

	picture := &imaging.Image{Width: 8, Height: 8, Pix: make([]byte, 3*8*8)}
	var file bytes.Buffer
	contents := archive.Contents{Picture: func(int) (*imaging.Image, error) { return picture, nil }}
	if m.Network != nil {
		contents.Embedding = func(int) ([]float32, error) { return []float32{1, 2}, nil }
	}
	require.NoError(t, archive.Write(&file, m, contents))
	path := filepath.Join(t.TempDir(), "my.deepemd")
	cmdtest.WriteText(t, path, file.String())
	return path
}

// zipOf returns a zip archive of one file.
func zipOf(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w := require.Value(z.Create(name))(t)
	require.Value(io.WriteString(w, text))(t)
	require.NoError(t, z.Close())
	return out.String()
}

// taughtWith has a project hold embeddings of a network.
func taughtWith(digest string) func(*project.Manifest) {
	return func(m *project.Manifest) {
		m.Network = &project.Network{Name: "mine", SHA256: digest, Embedder: method.Default().Embedder, Nodes: 1, Channels: 2}
	}
}

func TestShare(t *testing.T) {
	site, from := builtSite(t), projectOf(t, taughtWith(archive.Digest(network.ResNet12PhotoWeights())))
	to := filepath.Join(t.TempDir(), "my.html")
	out := require.Value(cmdtest.Run("share", from, to, "--dir", site))(t)
	if want := "my.html: 2 classes, 1 example, "; !strings.Contains(out, want) {
		t.Errorf("printed %q, want %q", out, want)
	}
	held := require.Value(publish.Project([]byte(cmdtest.ReadText(t, from))))(t)
	want := require.Value(publish.Page([]byte(cmdtest.ReadText(t, filepath.Join(site, publish.Template))), publish.Contents{
		Title: "Cups & pens", Engine: []byte("engine"), Weights: network.ResNet12PhotoWeights(), Project: held,
	}))(t)
	if cmdtest.ReadText(t, to) != string(want) {
		t.Error("the page holds something else than engine, network and project")
	}
	require.Value(cmdtest.Run("share", from, to, "--dir", site, "--title", "Mugs", "--language", "de", "--parent", "https://a.example", "--parent", "https://b.example"))(t)
	if page := cmdtest.ReadText(t, to); !strings.Contains(page, `<html lang="en" data-language="de" data-parents="https://a.example https://b.example"><title>Mugs</title>`) {
		t.Errorf("the page begins with %.120s", page)
	}
}

// A project of another network in the program is shared with that network.
func TestShareFormerNetwork(t *testing.T) {
	site, from := builtSite(t), projectOf(t, taughtWith(archive.Digest(network.ResNet12XSWeights())))
	to := filepath.Join(t.TempDir(), "my.html")
	require.Value(cmdtest.Run("share", from, to, "--dir", site))(t)
	want := require.Value(publish.Page([]byte(cmdtest.ReadText(t, filepath.Join(site, publish.Template))), publish.Contents{
		Title: "Cups & pens", Engine: []byte("engine"), Weights: network.ResNet12XSWeights(), Project: require.Value(publish.Project([]byte(cmdtest.ReadText(t, from))))(t),
	}))(t)
	if cmdtest.ReadText(t, to) != string(want) {
		t.Error("the page has another network than the project's")
	}
	require.Value(cmdtest.Run("share", from, to, "--dir", site, "--weights", network.ResNet12XS))(t)
	if cmdtest.ReadText(t, to) != string(want) {
		t.Error("the page has another network than the named one")
	}
}

// A project of sounds is shared with the engine and the network for sounds.
func TestShareSounds(t *testing.T) {
	site, from := builtSite(t), projectOf(t, func(m *project.Manifest) { m.Kind = project.KindSound })
	to := filepath.Join(t.TempDir(), "my.html")
	require.Value(cmdtest.Run("share", from, to, "--dir", site))(t)
	want := require.Value(publish.Page([]byte(cmdtest.ReadText(t, filepath.Join(site, publish.Template))), publish.Contents{
		Title: "Cups & pens", Engine: []byte("engine for sounds"), Weights: network.ResNet12SoundWeights(),
		Project: require.Value(publish.Project([]byte(cmdtest.ReadText(t, from))))(t),
	}))(t)
	if cmdtest.ReadText(t, to) != string(want) {
		t.Error("the page has another engine or network")
	}
}

// With its own network a project is shared with that; with another one the page says
// that it embeds the images again.
func TestShareOtherNetwork(t *testing.T) {
	site, own := builtSite(t), cmdtest.Weights(t, nil)
	to := filepath.Join(t.TempDir(), "my.html")
	for _, c := range []struct {
		digest string
		note   bool
	}{
		{archive.Digest([]byte(cmdtest.ReadText(t, own))), false},
		{strings.Repeat("0", 64), true},
	} {
		out := require.Value(cmdtest.Run("share", projectOf(t, taughtWith(c.digest)), to, "--dir", site, "--weights", own))(t)
		if got := strings.Contains(out, "embeds its pictures again"); got != c.note {
			t.Errorf("SHA-256 %.8s: printed %q, want a note: %v", c.digest, out, c.note)
		}
	}
}

func TestShareErrorsNameTheRemedy(t *testing.T) {
	site, broken := builtSite(t), filepath.Join(t.TempDir(), "broken.safetensors")
	cmdtest.WriteText(t, broken, "no weights")
	text := filepath.Join(t.TempDir(), "text.deepemd")
	cmdtest.WriteText(t, text, "no project")
	cut := filepath.Join(t.TempDir(), "cut.deepemd")
	cmdtest.WriteText(t, cut, cmdtest.ReadText(t, projectOf(t, nil))[:300])
	newer := filepath.Join(t.TempDir(), "newer.deepemd")
	cmdtest.WriteText(t, newer, zipOf(t, "manifest.json", fmt.Sprintf(`{"format":%q,"version":%d}`, project.Format, project.Version+1)))
	good, drawing := projectOf(t, nil), filepath.Join(t.TempDir(), "drawing.svg")
	cmdtest.WriteText(t, drawing, "<svg></svg>")
	cmdtest.Fails(t, "drawing.svg: the output would overwrite an SVG drawing", "share", good, drawing, "--dir", site)
	for _, c := range []struct {
		name, from, remedy string
		flags              []string
	}{
		{"no file", "missing.deepemd", "is the path right?", nil},
		{"no project", text, "*.deepemd", nil},
		{"cut short", cut, "damaged", nil},
		{"newer", newer, "newer version", nil},
		{"features", projectOf(t, func(m *project.Manifest) {
			m.Kind, m.Network = project.KindFeatures, &project.Network{Name: "mine", Nodes: 1, Channels: 2}
		}), "is a project of features", nil},
		{"nothing taught", projectOf(t, func(m *project.Manifest) { m.Classes[0].Disabled = true }), "add some first", nil},
		{"a method that pages lack", projectOf(t, func(m *project.Manifest) { m.Method.Classifier = method.SFC }), `lack the method of this project: no classifier "sfc": want mixture, `, nil},
		{"another network", projectOf(t, taughtWith(strings.Repeat("0", 64))), "--weights", nil},
		{"no weights", good, "broken.safetensors", []string{"--weights", broken}},
		{"no site", good, "make build`, or unpack the site archive of a release, and name its folder with --dir", []string{"--dir", t.TempDir()}},
		{"language", good, "en, de", []string{"--language", "fr"}},
		{"parent", good, "https://example.org", []string{"--parent", "example.org"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "my.html")
			cmdtest.Fails(t, c.remedy, append([]string{"share", c.from, to, "--dir", site}, c.flags...)...)
			if _, err := os.Stat(to); err == nil {
				t.Error("a page was written")
			}
		})
	}
	cmdtest.Fails(t, "deepemd share my.deepemd my.html", "share", good)
	missing := filepath.Join(t.TempDir(), "missing", "my.html")
	cmdtest.Fails(t, missing, "share", good, missing, "--dir", site)
}
