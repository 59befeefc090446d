package learner

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// featuresOf returns a learner of features with all parts.
func featuresOf(t *testing.T, shape Shape, opt Options) *Learner {
	t.Helper()
	opt.Kit = AllParts()
	l := require.Value(NewFromFeatures(shape, opt))(t)
	return l
}

// TestFeaturesAnswerAsTheNetworkDoes checks that a learner of features with a network's
// embeddings gives the same scores, verdicts, explanations, reviews and training results as a
// learner with the network, bit for bit.
func TestFeaturesAnswerAsTheNetworkDoes(t *testing.T) {
	for _, name := range []string{"", "classifier=nearest", "classifier=cosine strangers=off", "weighting=equal classifier=fusion"} {
		m := require.Value(method.Parse(name))(t)
		net := require.Value(OpenWith(smallWeights(t), Options{Kit: AllParts(), Method: m, Threads: 1}))(t)
		info := net.Info()
		own := featuresOf(t, Shape{Name: "theirs", Nodes: info.Nodes, Channels: info.Channels, Regions: net.Model().net.positions}, Options{Method: m})
		embedding := func(p Picture) []float32 {
			set := require.Value(net.Embed(p))(t)
			return set.Data
		}
		for i, id := range []string{"a1", "b1", "a2", "b2", "a3", "b3"} {
			class := id[:1]
			if i < 2 {
				for _, l := range []*Learner{net, own} {
					require.NoError(t, l.AddClass(class, strings.ToUpper(class)))
				}
			}
			p := shade(i%2, i)
			require.Value(net.AddExample(class, id, p))(t)
			if seen, err := own.AddExample(class, id, Picture{Embedding: embedding(p)}); err != nil || seen.View != nil {
				t.Fatalf("%v, %v", seen, err)
			}
		}
		same := func(when string) {
			t.Helper()
			for i := range 3 {
				p := shade(i, 7)
				want := require.Value(net.Model().Classify(p))(t)
				got := require.Value(own.Model().Classify(Picture{Embedding: embedding(p)}))(t)
				if !slices.Equal(got.Scores, want.Scores) || (got.Verdict == nil) != (want.Verdict == nil) {
					t.Errorf("%q, %s: scores %v, the network's %v", name, when, got.Scores, want.Scores)
				}
				if got.Verdict != nil && *got.Verdict != *want.Verdict {
					t.Errorf("%q, %s: %+v, the network's %+v", name, when, *got.Verdict, *want.Verdict)
				}
				why := require.Value(own.Model().Explain(got, ""))(t)
				whyNet := require.Value(net.Model().Explain(want, ""))(t)
				if why.ExampleID != whyNet.ExampleID || why.Score != whyNet.Score || !slices.Equal(why.Flow, whyNet.Flow) || !slices.Equal(why.From, whyNet.From) {
					t.Errorf("%q, %s: another explanation", name, when)
				}
			}
		}
		same("taught")
		got, want := reviewed(t, own), reviewed(t, net)
		for i := range want.Examples {
			want.Examples[i].Problem, want.Examples[i].Twin = "", ""
		}
		if !slices.Equal(got.Examples, want.Examples) || !slices.Equal(got.Known, want.Known) {
			t.Errorf("%q: review %+v, the network's %+v", name, got, want)
		}
		if m.Complete().Classifier != method.Prototype {
			continue
		}
		for _, l := range []*Learner{own, net} {
			train(t, l, Training{Passes: 3})
		}
		same("trained")
	}
}

func TestFeaturesRefuse(t *testing.T) {
	l := featuresOf(t, Shape{Name: "mine", Nodes: 2, Channels: 3}, Options{})
	require.NoError(t, l.AddClass("a", "A"))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	good := []float32{1, 2, 3, 3, 1, 2}
	for _, c := range []struct {
		picture Picture
		code    Code
		says    string
	}{
		{Picture{Embedding: good[:5]}, CodeBadArgument, "5 values: want nodes × channels, 2×3 = 6"},
		{Picture{Embedding: []float32{}}, CodeBadArgument, "0 values"},
		{Picture{Embedding: make([]float32, 6)}, CodeBadArgument, "as if all features were 0"},
		{Picture{Embedding: []float32{1, 1, 1, 2, 2, 2}}, CodeBadArgument, "the same value in all channels"},
		{Picture{Embedding: []float32{1, 2, 3, 4, nan, 5}}, CodeBadArgument, "channel 1 of node 1 is NaN"},
		{Picture{Embedding: []float32{1, 2, inf, 4, 5, 6}}, CodeBadArgument, "channel 2 of node 0 is +Inf"},
		{Picture{Embedding: []float32{1e19, 2e19, 3e19, 3e19, 1e19, 2e19}}, CodeBadArgument, "cannot be matched: node 0 of 2: features are not finite or too large"},
		{shade(0, 0), CodeBadArgument, "no network"},
		{Picture{}, CodeBadArgument, "no network"},
		{Picture{Features: good}, CodeBadArgument, "no network"},
		{Picture{Embedding: good, Data: []byte("a letter")}, CodeBadImage, ""},
		{Picture{Embedding: good, Samples: make([]float32, 9), Rate: 16000}, CodeBadSound, "is for pictures"},
	} {
		_, err := l.AddExample("a", "1", c.picture)
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(e.Message, c.says) {
			t.Errorf("%+v: %v, want %s that says %q", c.picture, err, c.code, c.says)
		}
	}
	if count(l.Model().classes) != 0 {
		t.Errorf("%d examples after refusals", count(l.Model().classes))
	}
	large := plain(9, 200, 40, 500, 500)
	large.Embedding = good
	if seen := require.Value(l.AddExample("a", "1", large))(t); seen.Original != nil {
		t.Error("a learner without a network has an original for crops")
	}
	for _, p := range []Picture{{Embedding: good[1:]}, {Embedding: make([]float32, 6)}, shade(0, 0)} {
		if _, err := l.Model().Classify(p); err == nil || err.(*Error).Code != CodeBadArgument {
			t.Errorf("classified: %v", err)
		}
	}
	if _, err := l.Inputs(shade(0, 0)); err == nil {
		t.Error("crops without a network")
	}
	if _, err := l.Encode(make([]byte, 3)); err == nil {
		t.Error("encoded without a network")
	}
	if err := l.Add("new", Picture{Embedding: good[1:]}); err == nil || len(l.Classes()) != 1 {
		t.Errorf("%v, %d classes", err, len(l.Classes()))
	}
}

func TestShapes(t *testing.T) {
	whole := embed.Region{X1: 1, Y1: 1}
	for says, shape := range map[string]Shape{
		"features of 0×3":       {Channels: 3},
		"features of 2×1":       {Nodes: 2, Channels: 1},
		"features of 5000×3":    {Nodes: 5000, Channels: 3},
		"of 2 to 8192 channels": {Nodes: 1, Channels: 9000},
		"regions: 1, nodes: 2":  {Nodes: 2, Channels: 3, Regions: []embed.Region{whole}},
		"region 1 is":           {Nodes: 2, Channels: 3, Regions: []embed.Region{whole, {X0: 0.5, X1: 0.5, Y1: 1}}},
		"want at most 1000":     {Nodes: 2, Channels: 3, Name: strings.Repeat("n", 1001)},
	} {
		_, err := NewFromFeatures(shape, Options{Kit: CommonParts()})
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeBadArgument || !strings.Contains(e.Message, says) {
			t.Errorf("%v, want one that says %q", err, says)
		}
	}
	for _, r := range []embed.Region{
		{X0: -0.1, X1: 1, Y1: 1}, {X1: 1.1, Y1: 1}, {X0: 0.6, X1: 0.5, Y1: 1},
		{X1: 1, Y0: -0.1, Y1: 1}, {X1: 1, Y1: 1.1}, {X1: 1, Y0: 0.5, Y1: 0.5},
	} {
		if _, err := NewFromFeatures(Shape{Nodes: 1, Channels: 2, Regions: []embed.Region{r}}, Options{}); codeOf(err) != CodeBadArgument {
			t.Errorf("region %v: error %v", r, err)
		}
	}
	if _, err := NewFromFeatures(Shape{Nodes: 1, Channels: 2}, Options{Hearing: func(Picture) (*imaging.Image, []float32, error) { return nil, nil, nil }}); err == nil {
		t.Error("features that hear")
	}
	for _, p := range []imaging.Preprocess{{Resize: 96}, {Size: -1}, {Size: 96, Resize: -1}} {
		if _, err := NewFromFeatures(Shape{Nodes: 1, Channels: 2}, Options{Preprocess: p}); err == nil || !strings.Contains(err.Error(), "set Preprocess.Size") {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if got := featuresOf(t, Shape{Nodes: 4, Channels: 2}, Options{}).Model().net.positions; !slices.Equal(got, []embed.Region{{X1: 0.5, Y1: 0.5}, {X0: 0.5, X1: 1, Y1: 0.5}, {Y0: 0.5, X1: 0.5, Y1: 1}, {X0: 0.5, Y0: 0.5, X1: 1, Y1: 1}}) {
		t.Errorf("regions of 4 nodes: %v", got)
	}
	if got := featuresOf(t, Shape{Nodes: 5, Channels: 2}, Options{}).Model().net.positions; !slices.Equal(got, []embed.Region{whole, whole, whole, whole, whole}) {
		t.Errorf("regions of 5 nodes: %v", got)
	}
	if got := featuresOf(t, Shape{Nodes: 49, Channels: 2}, Options{}).Model().net.positions; got[48].X1 != 1 || got[48].Y1 != 1 || got[6].X1 != 1 {
		t.Errorf("the last of 49 regions: %v", got[48])
	}
}

// TestReshape checks that the shape can be set after adding classes, and not after the first
// example.
func TestReshape(t *testing.T) {
	l := featuresOf(t, Shape{Name: "later"}, Options{Method: method.Method{Embedder: method.Embedder{Kind: method.Grid}}, Digest: "of a network"})
	if m := l.Method(); !m.Embedder.Equal(method.Default().Embedder) || l.Digest() != "" {
		t.Errorf("the options of a network are kept: %v, %q", m.Embedder, l.Digest())
	}
	require.NoError(t, l.AddClass("a", "A"))
	p := Picture{Embedding: []float32{1, 2, 3, 4, 6, 5}}
	if _, err := l.AddExample("a", "1", p); err == nil || !strings.Contains(err.Error(), "is unknown") {
		t.Errorf("taught without a shape: %v", err)
	}
	require.NoError(t, l.Reshape(Shape{Name: "later", Nodes: 3, Channels: 2}))
	require.Value(l.AddExample("a", "1", p))(t)
	require.NoError(t, l.Reshape(Shape{Name: "renamed", Nodes: 3, Channels: 2}))
	if name := l.Info().Name; name != "renamed" {
		t.Errorf("features of the same shape have the name %q", name)
	}
	for _, s := range []Shape{{Nodes: 2, Channels: 3}, {Nodes: 3, Channels: 3}, {Nodes: 2, Channels: 2}} {
		if err := l.Reshape(s); err == nil || l.Info().Nodes != 3 || l.Info().Channels != 2 {
			t.Errorf("reshaped with an example: %v, %+v", err, l.Info())
		}
	}
	other := method.Default()
	other.Embedder = method.Embedder{Kind: method.Grid}
	fresh, err := l.WithMethod(other)
	if err != nil || fresh.Info().Nodes != 3 || fresh.Info().Name != "renamed" || !fresh.TakesFeatures() || count(fresh.Model().classes) != 0 || !fresh.Method().Equal(method.Default()) {
		t.Errorf("%v, %+v, %v", err, fresh.Info(), fresh.Method())
	}
	net := require.Value(OpenWith(smallWeights(t), Options{Kit: CommonParts()}))(t)
	if err := net.Reshape(Shape{Nodes: 2, Channels: 3}); err == nil || net.TakesFeatures() {
		t.Error("reshaped a network")
	}
}

// TestFeaturesKeepPictures checks that a learner of features stores a thumbnail of the image and
// reviews it.
func TestFeaturesKeepPictures(t *testing.T) {
	l := featuresOf(t, Shape{Nodes: 1, Channels: 4}, Options{})
	random := rand.New(rand.NewPCG(1, 2))
	features := func() []float32 {
		list := make([]float32, 4)
		for i := range list {
			list[i] = random.Float32()
		}
		return list
	}
	black := Picture{Width: 200, Height: 120, Data: make([]byte, 200*120*3), Embedding: features()}
	require.NoError(t, l.Add("dark", black))
	black.Embedding = features()
	require.NoError(t, l.Add("dark", black))
	twin := Picture{Embedding: features()}
	for range 2 {
		require.NoError(t, l.Add("bare", twin))
	}
	classes := l.Classes()
	if seen := classes[0].Examples[0].Seen; seen == nil || seen.Width != thumbnail || len(seen.Pix) != thumbnail*thumbnail*3 {
		t.Errorf("kept %+v", seen)
	}
	if classes[1].Examples[0].Seen != nil {
		t.Error("a picture out of nowhere")
	}
	review := reviewed(t, l)
	for i, want := range []struct{ problem, twin string }{{"dark", ""}, {"dark", "example-1"}, {"", ""}, {"", "example-3"}} {
		if e := review.Examples[i]; e.Problem != want.problem || e.Twin != want.twin {
			t.Errorf("example %d: %+v, want %+v", i, e, want)
		}
	}
	answer, err := l.Model().Classify(Picture{Embedding: features(), Width: 8, Height: 8, Data: make([]byte, 8*8*4)})
	if err != nil || answer.Seen == nil || answer.Seen.Width != thumbnail {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestFeaturesIgnorePictures checks that a picture of one color does not make features unknown.
func TestFeaturesIgnorePictures(t *testing.T) {
	l := featuresOf(t, Shape{Nodes: 1, Channels: 4}, Options{})
	for i, label := range []string{"a", "b"} {
		p := speckled(uint64(i))
		p.Embedding = []float32{0, 0, 0, 0}
		p.Embedding[i] = 1
		require.NoError(t, l.Add(label, p))
	}
	p := Picture{Embedding: []float32{1, 0, 0, 0}}
	bare := answered(t, l, p)
	p.Width, p.Height, p.Data = 8, 8, make([]byte, 8*8*3)
	if got := answered(t, l, p); *got.Verdict != *bare.Verdict {
		t.Errorf("with a picture of one color %+v, without %+v", *got.Verdict, *bare.Verdict)
	}
}

// TestReshapeAgain checks that examples with new features can replace all former examples.
func TestReshapeAgain(t *testing.T) {
	l := featuresOf(t, Shape{Nodes: 1, Channels: 3}, Options{})
	for _, id := range []string{"a", "b"} {
		require.NoError(t, l.AddClass(id, id))
	}
	fill := func(channels int) Picture {
		var p Picture
		for i, id := range []string{"a", "b"} {
			p = Picture{Embedding: make([]float32, channels)}
			p.Embedding[i] = 1
			require.Value(l.AddExample(id, id, p))(t)
		}
		return p
	}
	answered(t, l, fill(3))
	for _, id := range []string{"a", "b"} {
		require.NoError(t, l.RemoveExample(id))
	}
	require.NoError(t, l.Reshape(Shape{Nodes: 1, Channels: 4}))
	p := fill(4)
	require.Value(l.Model().ClassifyLive(p))(t)
}

// TestEmbeddingsAreClassified checks that a learner with a network classifies an embedding
// without its image, but does not accept it as an example.
func TestEmbeddingsAreClassified(t *testing.T) {
	for _, text := range []string{"", "embedder=grid grid=2"} {
		m := require.Value(method.Parse(text))(t)
		l := require.Value(OpenWith(smallWeights(t), Options{Threads: 1, Method: m}))(t)
		for i, label := range []string{"a", "b"} {
			require.NoError(t, l.Add(label, shade(i, 0)))
		}
		set := require.Value(l.Embed(shade(1, 3)))(t)
		want := require.Value(l.Model().Classify(shade(1, 3)))(t)
		got, err := l.Model().Classify(Picture{Embedding: set.Data})
		if err != nil || !slices.Equal(got.Scores, want.Scores) || got.Seen != nil || !slices.Equal(got.Embedding.Regions, set.Regions) {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
		if _, err := l.Model().Explain(got, ""); err != nil {
			t.Error(err)
		}
		if err := l.Add("a", Picture{Embedding: set.Data}); err == nil || !strings.Contains(err.Error(), "give the picture") {
			t.Errorf("%q: taught without a picture: %v", text, err)
		}
	}
}
