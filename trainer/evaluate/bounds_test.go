package evaluate

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

// TestBoundsOfRealPictures: among real pictures, too, a search finds the same whether bounds
// leave matches out or not, and they do.
func TestBoundsOfRealPictures(t *testing.T) {
	const classes, each, limit = 20, 10, 5
	set, err := data.Open("../../../shared/datasets/cifar100.zip")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no shared data: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	file, err := weights.Decode(resnet12s.File, resnet12s.Weights())
	if err != nil {
		t.Fatal(err)
	}
	network, err := backbone.New(file, backbone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, class := range set.Classes()[:classes] {
		for _, p := range set.Pictures(class)[:each] {
			names = append(names, p.Name)
		}
	}
	features, err := Extract(t.Context(), names, set.Image, Extraction{
		Encoder: network, Preprocess: imaging.Preprocess{Size: 32, Mean: file.Meta.Mean, Std: file.Meta.Std},
	})
	if err != nil {
		t.Fatal(err)
	}
	var buffer gallery.Buffer
	w, err := gallery.Create(&buffer, gallery.Catalogue{Network: project.Network{Embedder: method.Embedder{Kind: method.FCN}}})
	if err != nil {
		t.Fatal(err)
	}
	var sets []*embed.Set
	for _, name := range names {
		sets = append(sets, features[name])
		require.NoError(t, w.Add(name, "", features[name]))
	}
	require.NoError(t, w.Close())
	index, err := gallery.Open(buffer.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for kind, g := range map[string]gallery.Gallery{"memory": memory(t, sets), "index": index} {
		solved, candidates := 0, 0
		for i := 0; i < len(sets); i += 7 {
			s := gallery.Searcher{Gallery: g, Matcher: newMatcher, Candidates: 100}
			all, _, err := s.Search(sets[i], s.Candidates) // nothing can be left out
			if err != nil {
				t.Fatal(err)
			}
			few, timing, err := s.Search(sets[i], limit)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(few, all[:limit]) {
				t.Errorf("%s, picture %d: %v, want %v", kind, i, few, all[:limit])
			}
			solved, candidates = solved+timing.Solved, candidates+len(all)
		}
		if solved == candidates {
			t.Errorf("%s: all of %d matches were solved", kind, candidates)
		}
		t.Logf("%s: %d of %d matches solved", kind, solved, candidates)
	}
}
