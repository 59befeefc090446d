package reproduce

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Derived features equal the embedder's own.
func TestDerivedFeaturesAreTheEmbeddersOwn(t *testing.T) {
	n, _ := network(t, 1)
	d := dataset(t, 2, 2)
	var pictures []string
	for _, class := range d.classes {
		for _, p := range d.set.Pictures(class) {
			pictures = append(pictures, p.Name)
		}
	}
	cache := &Cache{Folder: t.TempDir(), MostPatches: 7}
	for _, choice := range []method.Embedder{
		{}, {Pyramid: []int{2}}, {Pyramid: []int{2, 1}}, grid(2), grid(2, 3), grid(1, 2), sampling(7), sampling(4),
	} {
		got := require.Value(cache.Features(context.Background(), n, d, choice, pictures, silent))(t)
		embedder := require.Value(learner.AllParts().Embedder(choice))(t)
		want := require.Value(evaluate.Extract(context.Background(), pictures, d.set.Image, evaluate.Extraction{Encoder: n.Encoder, Embedder: embedder, Preprocess: n.Preprocess}))(t)
		for name, set := range want {
			if g := got[name]; g.N != set.N || g.C != set.C || !near(g.Data, set.Data) {
				t.Errorf("%s, %s: %d nodes of %d channels that differ from the embedder's %d of %d", describe(choice), name, g.N, g.C, set.N, set.C)
			}
		}
	}
}

// The bases of an embedder may have the features of different images.
func TestBasesOfDifferentImages(t *testing.T) {
	n, _ := network(t, 1)
	d := dataset(t, 1, 2)
	all, cache := []string{d.set.Pictures("class0")[0].Name, d.set.Pictures("class0")[1].Name}, &Cache{Folder: t.TempDir()}
	require.Value(cache.Features(t.Context(), n, d, grid(2), all, silent))(t)
	got := require.Value(cache.Features(t.Context(), n, d, grid(2, 3), all[:1], silent))(t)
	if len(got) != 1 || got[all[0]].N != 13 {
		t.Errorf("%d images, want one with 13 nodes", len(got))
	}
}

// near allows for different rounding in other batches.
func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return max(x-y, y-x) <= 1e-5*(1+max(x, -x)) })
}

func TestPicturesAreEmbeddedOnce(t *testing.T) {
	n, counted := network(t, 1)
	d := dataset(t, 2, 3)
	folder := t.TempDir()
	pictures := []string{"class0/00.png", "class0/01.png", "class1/02.png"}
	ask := func(c *Cache, choice method.Embedder, names []string) evaluate.Features {
		t.Helper()
		features := require.Value(c.Features(context.Background(), n, d, choice, names, silent))(t)
		return features
	}
	expect := func(passes int, when string) {
		t.Helper()
		if counted.passes != passes {
			t.Errorf("%s: %d passes through the network, want %d", when, counted.passes, passes)
		}
		counted.passes = 0
	}
	first := &Cache{Folder: folder}
	ask(first, method.Embedder{}, pictures[:2])
	expect(2, "at first")
	was := ask(first, method.Embedder{Pyramid: []int{1}}, pictures)
	expect(1, "with a pyramid and a picture more")
	again := &Cache{Folder: folder}
	now := ask(again, method.Embedder{Pyramid: []int{1}}, pictures)
	expect(0, "from the folder")
	for _, name := range pictures {
		if !slices.Equal(was[name].Data, now[name].Data) {
			t.Errorf("%s is another from the folder", name)
		}
	}
	parts, _ := filepath.Glob(filepath.Join(folder, "*", "*.npy"))
	if len(parts) != 2 {
		t.Fatalf("%d files in the folder, want 2", len(parts))
	}
	require.NoError(t, os.WriteFile(parts[0], []byte("no array"), 0o666))
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	if counted.passes == 0 {
		t.Error("a damaged file is taken for features")
	}
	counted.passes = 0
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	expect(0, "after it was mended")
	// Temporary files of a killed run are deleted after a day.
	young, old := parts[0]+".01234567.tmp", parts[0]+".89abcdef.tmp"
	for _, path := range []string{young, old} {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o666))
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	require.NoError(t, os.Chtimes(old, yesterday, yesterday))
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	expect(0, "beside half a file")
	if left, _ := filepath.Glob(filepath.Join(folder, "*", "*.tmp")); !slices.Equal(left, []string{young}) {
		t.Errorf("half-written files in the folder: %v, want only that of today", left)
	}
	// While another process embeds, this one does not. It uses the results of the other one
	// afterwards.
	c := &Cache{Folder: folder}
	require.NoError(t, os.Remove(parts[0]))
	require.Value(c.loadShared(cluster.Single{}, c.key(n, d, method.Embedder{})))(t)
	held := require.Value(atomicfile.HoldFolder(filepath.Dir(parts[0])))(t)
	if _, err := c.Features(context.Background(), n, d, method.Embedder{}, pictures, silent); !errors.As(err, new(*atomicfile.InUseError)) || !strings.Contains(err.Error(), filepath.Dir(parts[0])) {
		t.Errorf("error %v, want that %s is in use", err, filepath.Dir(parts[0]))
	}
	expect(0, "while another embeds")
	require.NoError(t, held.Release())
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	counted.passes = 0
	ask(c, method.Embedder{}, pictures)
	expect(0, "after another has embedded")
	other, otherCounted := network(t, 2)
	if _, err := (&Cache{Folder: folder}).Features(context.Background(), other, d, method.Embedder{}, pictures, silent); err != nil || otherCounted.passes != 3 {
		t.Errorf("another network: %d passes, error %v", otherCounted.passes, err)
	}
}

// Remembered groups are the groups.
func TestRememberedGroups(t *testing.T) {
	set := &embed.Set{N: 4, C: 2, Data: []float32{0, 0, 0, 1, 9, 9, 9, 8}}
	g := newCachedGrouping(match.KMeans{K: 2}, evaluate.Features{"a": set})
	first, _, err := g.Merge(set)
	if err != nil || first.N != 2 {
		t.Fatalf("%v, %v", first, err)
	}
	if again, _, _ := g.Merge(set); again != first {
		t.Error("a picture is merged twice")
	}
	copied := &embed.Set{N: 4, C: 2, Data: slices.Clone(set.Data)}
	if other, _, err := g.Merge(copied); err != nil || other == first || !slices.Equal(other.Data, first.Data) {
		t.Errorf("another set of the same values: %v, %v", other, err)
	}
	if _, _, err := g.Merge(nil); !errors.Is(err, embed.ErrSet) {
		t.Errorf("no set: %v", err)
	}
}

// FuzzLoad reads features that were kept, and the list of their images.
func FuzzLoad(f *testing.F) {
	array := "\x93NUMPY\x01\x00\x3a\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,2)}\n\x00\x00\x80?\x00\x00\x00@"
	for _, names := range []string{`{"names": ["a"]}`, `{"names": ["a", "a"]}`, `{"names": []}`, `["a"]`, `null`, `{}`, ``} {
		f.Add([]byte(array), []byte(names))
	}
	cache := &Cache{Folder: f.TempDir()}
	path := filepath.Join(cache.Folder, "key", "a.npy")
	require.NoError(f, os.Mkdir(filepath.Dir(path), 0o755))
	f.Fuzz(func(t *testing.T, array, names []byte) {
		for name, content := range map[string][]byte{path: array, arrays.ListPath(path): names} {
			require.NoError(t, os.WriteFile(name, content, 0o600))
		}
		bombs.Budget(t, 16<<20, 1024, len(array)+len(names), func() {
			for name, set := range cache.load("key") {
				if err := set.Check(); err != nil {
					t.Errorf("%q: %v", name, err)
				}
			}
		})
	})
}
