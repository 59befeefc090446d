package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
)

// features returns a project of features whose second example has no picture.
func features() (*project.Manifest, Contents) {
	m, contents := sample()
	m.Kind, m.Preprocess = project.KindFeatures, nil
	m.Network = &project.Network{Name: "mine", Nodes: 2, Channels: 3}
	contents.Bare = func(i int) bool { return i == 1 }
	return m, contents
}

func TestFeaturesWithoutPictures(t *testing.T) {
	m, contents := features()
	file := require.Value(read(write(t, m, contents)))(t)
	var names []string
	for _, c := range file.Manifest.Classes {
		for _, e := range c.Examples {
			names = append(names, e.Picture)
		}
	}
	if want := []string{"pictures/00001.png", "", "pictures/00003.png"}; !slices.Equal(names, want) {
		t.Errorf("pictures %q, want %q", names, want)
	}
	embeddings, err := file.Embeddings()
	if err != nil || len(embeddings) != 3 || embeddings[2][0] != 2 {
		t.Errorf("%v, %v", embeddings, err)
	}
	text := require.Value(file.read(manifestEntry, maxManifest))(t)
	for _, absent := range []string{"sha256", "preprocess"} {
		if strings.Contains(string(text), absent) {
			t.Errorf("the manifest names %q: %s", absent, text)
		}
	}
	if strings.Count(string(text), `"embedder"`) != 1 {
		t.Errorf("an embedder beside the method's: %s", text)
	}
}

// TestFeaturesNeedEmbeddings checks that features without embeddings are rejected.
func TestFeaturesNeedEmbeddings(t *testing.T) {
	m, contents := features()
	archive := write(t, m, contents)
	var without bytes.Buffer
	from := require.Value(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	to := zip.NewWriter(&without)
	for _, e := range from.File {
		if e.Name == embeddingsEntry {
			continue
		}
		r := require.Value(e.Open())(t)
		data := require.Value(io.ReadAll(r))(t)
		require.NoError(t, add(to, e.Name, data))
	}
	require.NoError(t, to.Close())
	file := require.Value(read(without.Bytes()))(t)
	if _, err := file.Embeddings(); !errors.Is(err, project.ErrDamaged) || !strings.Contains(err.Error(), embeddingsEntry) {
		t.Errorf("%v", err)
	}

	contents.Embedding = nil
	if err := Write(io.Discard, m, contents); err == nil || !strings.Contains(err.Error(), "features without embeddings") {
		t.Errorf("written without embeddings: %v", err)
	}
	m, contents = features()
	m.Kind = project.KindImage
	if err := Write(io.Discard, m, contents); err == nil || !strings.Contains(err.Error(), "only features may have none") {
		t.Errorf("pictures without pictures: %v", err)
	}
	m, contents = features()
	contents.Picture = func(int) (*imaging.Image, error) { return nil, errors.New("gone") }
	if err := Write(io.Discard, m, contents); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("%v", err)
	}
}
