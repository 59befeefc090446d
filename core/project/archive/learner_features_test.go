package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/require"
)

// features returns a learner of features.
func features(t *testing.T, shape learner.Shape, opt learner.Options) *learner.Learner {
	t.Helper()
	opt.Kit = learner.AllParts()
	l := require.Value(learner.NewFromFeatures(shape, opt))(t)
	return l
}

// embedding returns [3, 4] random values.
func embedding(seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 5))
	values := make([]float32, 12)
	for i := range values {
		values[i] = random.Float32() - 0.3
	}
	return values
}

var mine = learner.Shape{Name: "mine", Nodes: 3, Channels: 4}

// A project of features, some with a picture, gives the same answers after saving and opening. The
// learner may have a shape.
func TestFeaturesAreKept(t *testing.T) {
	m := require.Value(method.Parse("classifier=nearest temperature=7"))(t)
	from := features(t, mine, learner.Options{Method: m})
	for i := range uint64(5) {
		p := learner.Picture{Embedding: embedding(i)}
		if i%2 == 0 {
			p.Width, p.Height, p.Data = 20, 16, texture(int(i)).Data
		}
		require.NoError(t, from.Add(fmt.Sprint("class ", i%2), p))
	}
	file := saved(t, from, project.Manifest{Name: "Words"})
	f := file.Manifest
	if f.Kind != project.KindFeatures || f.Preprocess != nil || f.Network.Name != "mine" || f.Network.Nodes != 3 || f.Network.Channels != 4 || f.Network.SHA256 != "" {
		t.Errorf("manifest %+v, network %+v", f, f.Network)
	}
	if a, b := f.Classes[0].Examples[0].Picture, f.Classes[1].Examples[0].Picture; a == "" || b != "" {
		t.Errorf("pictures %q and %q, want one and none", a, b)
	}
	for _, shape := range []learner.Shape{mine, {Name: "mine"}} {
		to := require.Value(archive.Open(file, features(t, shape, learner.Options{})))(t)
		if !to.Method().Equal(m) || to.Info().Channels != 4 {
			t.Errorf("method %v, %+v", to.Method(), to.Info())
		}
		if was, is := from.Classes()[0].Examples[1].Seen, to.Classes()[0].Examples[1].Seen; is == nil || !bytes.Equal(is.Pix, was.Pix) {
			t.Error("another picture")
		}
		if to.Classes()[1].Examples[0].Seen != nil {
			t.Error("a picture out of nowhere")
		}
		for i := range uint64(20) {
			want := require.Value(from.Model().Classify(learner.Picture{Embedding: embedding(100 + i)}))(t)
			got := require.Value(to.Model().Classify(learner.Picture{Embedding: embedding(100 + i)}))(t)
			if got.Label() != want.Label() || got.Scores[0] != want.Scores[0] || *got.Verdict != *want.Verdict {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
	lean := features(t, mine, learner.Options{Lean: true})
	require.NoError(t, lean.Add("a", learner.Picture{Embedding: embedding(1), Width: 20, Height: 16, Data: texture(1).Data}))
	if f := saved(t, lean, project.Manifest{}).Manifest; f.Classes[0].Examples[0].Picture != "" {
		t.Errorf("a lean learner saved a picture: %+v", f)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestFailedSaves(t *testing.T) {
	for _, l := range []*learner.Learner{newLearner(t, &encoder{}, learner.Options{Digest: "abc"}), features(t, mine, learner.Options{})} {
		if err := archive.Save(full{}, l, project.Manifest{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("features %v: %v", l.TakesFeatures(), err)
		}
	}
	if err := archive.Save(io.Discard, features(t, learner.Shape{}, learner.Options{}), project.Manifest{}); err == nil || !strings.Contains(err.Error(), "Reshape") {
		t.Errorf("features without a shape: %v", err)
	}
}

// Embeddings are the same only if each part of what made them is.
func TestSameEmbeddings(t *testing.T) {
	pictures, words := newLearner(t, &encoder{}, learner.Options{Digest: "abc"}), features(t, mine, learner.Options{})
	teach(t, pictures, 1)
	require.NoError(t, words.Add("a", learner.Picture{Embedding: embedding(1)}))
	for _, l := range []*learner.Learner{pictures, words} {
		for change, c := range map[string]struct {
			change             func(m *project.Manifest)
			features, pictures bool // whether the embeddings of each learner are the same
		}{
			"none":       {func(*project.Manifest) {}, true, true},
			"no network": {func(m *project.Manifest) { m.Network = nil }, false, false},
			"name":       {func(m *project.Manifest) { m.Network.Name = "theirs" }, false, true},
			"weights":    {func(m *project.Manifest) { m.Network.SHA256 = "abd" }, true, false},
			"nodes":      {func(m *project.Manifest) { m.Network.Nodes++ }, false, false},
			"channels":   {func(m *project.Manifest) { m.Network.Channels++ }, false, false},
			"embedder":   {func(m *project.Manifest) { m.Network.Embedder = method.Embedder{Kind: method.Grid, Grid: []int{2}} }, true, false},
			"size":       {func(m *project.Manifest) { m.Preprocess = &project.Preprocess{Size: 9, Std: [3]float32{1, 1, 1}} }, true, false},
			"no size":    {func(m *project.Manifest) { m.Preprocess = nil }, true, false},
		} {
			m := saved(t, l, project.Manifest{}).Manifest
			c.change(&m)
			want := c.pictures
			if l.TakesFeatures() {
				want = c.features
			}
			if got := archive.SameEmbeddings(&m, l); got != want {
				t.Errorf("features %v, changed %s: same embeddings %v", l.TakesFeatures(), change, got)
			}
		}
	}
	unknown := newLearner(t, &encoder{}, learner.Options{})
	m := saved(t, pictures, project.Manifest{}).Manifest
	m.Network.SHA256 = ""
	if archive.SameEmbeddings(&m, unknown) {
		t.Error("two unknown networks count as the same")
	}
}

// Projects of other features, of pictures, and without embeddings are rejected.
func TestOtherFeaturesAreRefused(t *testing.T) {
	from := features(t, mine, learner.Options{})
	require.NoError(t, from.Add("a", learner.Picture{Embedding: embedding(1)}))
	file := saved(t, from, project.Manifest{Name: "Words"})
	for _, other := range []learner.Shape{{Name: "theirs", Nodes: 3, Channels: 4}, {Name: "mine", Nodes: 4, Channels: 3}, {}} {
		_, err := archive.Open(file, features(t, other, learner.Options{}))
		var refused *learner.Error
		if !errors.As(err, &refused) || refused.Code != learner.CodeWrongNetwork || !strings.Contains(err.Error(), `"mine", 3×4`) {
			t.Errorf("%+v: %v", other, err)
		}
	}
	// An example that cannot be taught is not left out.
	var flat bytes.Buffer
	m := file.Manifest
	require.NoError(t, archive.Write(&flat, &m, archive.Contents{
		Embedding: func(int) ([]float32, error) { return make([]float32, 12), nil },
		Bare:      func(int) bool { return true },
	}))
	zero := require.Value(archive.Read(bytes.NewReader(flat.Bytes()), int64(flat.Len())))(t)
	if l, err := archive.Open(zero, features(t, mine, learner.Options{})); err == nil || !strings.Contains(err.Error(), "example") {
		t.Errorf("features of zeros: %v, %v", l, err)
	}
	net := newLearner(t, &encoder{}, learner.Options{Digest: "abc"})
	if _, err := archive.Open(file, net); err == nil || !strings.Contains(err.Error(), `kind "features"`) {
		t.Errorf("features opened by a network: %v", err)
	}
	teach(t, net, 1)
	if _, err := archive.Open(saved(t, net, project.Manifest{Name: "Pictures"}), from); err == nil || !strings.Contains(err.Error(), `kind "image"`) {
		t.Errorf("pictures opened as features: %v", err)
	}
}
