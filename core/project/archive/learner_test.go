package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// encoder makes 2×2 nodes: the mean color of each quarter of an 8×8 picture.
type encoder struct{ passes int }

var _ embed.Encoder = &encoder{}

func (*encoder) Meta() weights.Meta {
	return weights.Meta{Name: "quarters", InputSize: 8, Widths: []int{1, 2, 3, 3}, Std: [3]float32{1, 1, 1}}
}

func (e *encoder) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	e.passes += batch.Shape[0]
	out := tensor.New(batch.Shape[0], 2, 2, 3)
	for n := range batch.Shape[0] {
		for y := range 8 {
			for x := range 8 {
				for c := range 3 {
					out.Data[((n*2+y/4)*2+x/4)*3+c] += batch.Data[((n*8+y)*8+x)*3+c] / 16
				}
			}
		}
	}
	return out, nil
}

func newLearner(t *testing.T, e *encoder, opt learner.Options) *learner.Learner {
	t.Helper()
	opt.Kit = learner.AllParts()
	l := require.Value(learner.New(e, opt))(t)
	return l
}

// texture returns a 20×16 picture for a seed.
func texture(seed int) learner.Picture {
	p := learner.Picture{Width: 20, Height: 16}
	for i := range 20 * 16 {
		p.Data = append(p.Data, byte(i*(seed+3)), byte(i/20*(seed*11+5)), byte(200-seed*40))
	}
	return p
}

// teach adds classes with the given numbers of examples.
func teach(t *testing.T, l *learner.Learner, shots ...int) {
	t.Helper()
	for c, n := range shots {
		require.NoError(t, l.AddClass(fmt.Sprint("class", c), fmt.Sprint("Class ", c)))
		for k := range n {
			require.Value(l.AddExample(fmt.Sprint("class", c), fmt.Sprint(c, "-", k), texture(10*c+k)))(t)
		}
	}
}

func saved(t *testing.T, l *learner.Learner, about project.Manifest) *archive.File {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, archive.Save(&buf, l, about))
	file := require.Value(archive.Read(bytes.NewReader(buf.Bytes()), int64(buf.Len())))(t)
	return file
}

// sameAnswers checks that two learners give the same answers for new pictures.
func sameAnswers(t *testing.T, got, want *learner.Learner) {
	t.Helper()
	for seed := range 40 {
		w := require.Value(want.Model().Classify(texture(seed)))(t)
		g := require.Value(got.Model().Classify(texture(seed)))(t)
		if len(g.Scores) != len(w.Scores) || g.Label() != w.Label() || g.Unknown() != w.Unknown() {
			t.Fatalf("picture %d: %+v, want %+v", seed, g, w)
		}
		for i := range g.Scores {
			if g.Scores[i].ID != w.Scores[i].ID || !(math.Abs(g.Scores[i].Score-w.Scores[i].Score) <= 1e-9) {
				t.Errorf("picture %d: %+v, want %+v", seed, g.Scores[i], w.Scores[i])
			}
		}
	}
}

// An opened project gives the same answers as the saving learner, for every method, with classes of
// unequal size and a disabled class.
func TestWhatIsSavedAnswersTheSame(t *testing.T) {
	for _, text := range []string{
		"", "classifier=nearest", "embedder=fcn pyramid=1 temperature=20 strangers=0.9", "embedder=grid grid=1,2", "embedder=sampling patches=4 seed=3",
		"classifier=fusion weighting=equal solver=dense strangers=off", "balance=off solver=sinkhorn:0.1",
	} {
		t.Run(text, func(t *testing.T) {
			m := require.Value(method.Parse(text))(t)
			from := newLearner(t, &encoder{}, learner.Options{Method: m, Digest: "abc"})
			teach(t, from, 1, 5, 2, 3)
			require.NoError(t, from.EnableClass("class2", false))
			file := saved(t, from, project.Manifest{Name: "All sorts", Classes: []project.Class{{ID: "class1", Hue: 7}}})
			if f := file.Manifest; f.Kind != project.KindImage || f.Name != "All sorts" || f.Classes[1].Hue != 7 || f.Classes[3].Hue != 3 || !f.Classes[2].Disabled {
				t.Errorf("manifest %+v", f)
			}
			e := &encoder{}
			on := newLearner(t, e, learner.Options{Digest: "abc"})
			before := e.passes
			to := require.Value(archive.Open(file, on))(t)
			if made := e.passes - before; made > 1 { // the one by which a learner finds out its sizes
				t.Errorf("%d passes through the network, though the embeddings are known", made)
			}
			if !to.Method().Equal(m) || len(on.Classes()) != 0 {
				t.Errorf("method %v, want %v; %d classes came to the learner that opened", to.Method(), m, len(on.Classes()))
			}
			sameAnswers(t, to, from)

			steps := 0
			file.Progress = func(done, total int) error {
				if done != steps || total != 11 {
					t.Errorf("%d of %d examples, want %d of 11", done, total, steps)
				}
				steps++
				return nil
			}
			e = &encoder{}
			other := require.Value(archive.Open(file, newLearner(t, e, learner.Options{Digest: "abd"})))(t)
			if e.passes < 1+5+2+3 || steps != 11 {
				t.Errorf("%d passes through another network, %d steps", e.passes, steps)
			}
			sameAnswers(t, other, from)
			if n := saved(t, newLearner(t, &encoder{}, learner.Options{}), file.Manifest).Manifest.Network; n != nil {
				t.Errorf("the embeddings of an unknown network are those of %+v", n)
			}
		})
	}
}

// A server can end Open when the client has left.
func TestOpenEndsWithTheErrorOfProgress(t *testing.T) {
	from := newLearner(t, &encoder{}, learner.Options{})
	teach(t, from, 3)
	file := saved(t, from, project.Manifest{})
	ctx, cancel := context.WithCancel(t.Context())
	file.Progress = func(done, _ int) error {
		if done == 1 {
			cancel()
		}
		return ctx.Err()
	}
	e := &encoder{}
	on := newLearner(t, e, learner.Options{})
	before := e.passes
	if l, err := archive.Open(file, on); l != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", l, err)
	}
	if made := e.passes - before; made > 2 { // one example, and the one by which a learner finds out its sizes
		t.Errorf("%d passes through the network", made)
	}
}

// The pictures in a file are the network's input, and are not resized and cropped again.
func TestResizedPicturesAreKept(t *testing.T) {
	opt := learner.Options{Preprocess: imaging.Preprocess{Size: 8, Resize: 12, Std: [3]float32{1, 1, 1}}}
	from := newLearner(t, &encoder{}, opt)
	teach(t, from, 1, 1)
	to := require.Value(archive.Open(saved(t, from, project.Manifest{}), newLearner(t, &encoder{}, opt)))(t)
	sameAnswers(t, to, from)
}

// A failed Open does not change the learner.
func TestOpenRefuses(t *testing.T) {
	from := newLearner(t, &encoder{}, learner.Options{Digest: "abc"})
	teach(t, from, 1, 1)
	file := saved(t, from, project.Manifest{Name: "Pictures"})
	hears := newLearner(t, &encoder{}, learner.Options{Hearing: sound.ForLearner()})
	_, err := archive.Open(file, hears)
	var refused *learner.Error
	if !errors.As(err, &refused) || refused.Code != learner.CodeBadArgument || !strings.Contains(err.Error(), `kind "image"`) {
		t.Errorf("pictures opened by a learner of sounds: %v", err)
	}
	rare := saved(t, newLearner(t, &encoder{}, learner.Options{Method: require.Value(method.Parse("classifier=sfc"))(t)}), project.Manifest{})
	if _, err := archive.Open(rare, require.Value(learner.New(&encoder{}, learner.Options{}))(t)); !errors.As(err, &refused) || refused.Code != learner.CodeBadArgument {
		t.Errorf("opened with a classifier that is not in the kit: %v", err)
	}
	on := newLearner(t, &encoder{}, learner.Options{Digest: "abc"})
	teach(t, on, 2)
	file.Manifest.Classes[1].Examples[0].Picture = "pictures/99999.png"
	if _, err := archive.Open(file, on); !errors.Is(err, project.ErrDamaged) {
		t.Errorf("a picture is missing: %v", err)
	}
	if got := on.Classes(); len(got) != 1 || len(got[0].Examples) != 2 {
		t.Errorf("the learner that opened has %+v", got)
	}
	lean := newLearner(t, &encoder{}, learner.Options{Lean: true})
	teach(t, lean, 1)
	if err := archive.Save(&bytes.Buffer{}, lean, project.Manifest{}); err == nil || !strings.Contains(err.Error(), "lean") {
		t.Errorf("a lean learner is saved: %v", err)
	}
}

// A background class is saved and opened. Readers that do not know background classes must reject
// the file.
func TestNothingIsKept(t *testing.T) {
	l := newLearner(t, &encoder{}, learner.Options{Digest: "abc"})
	teach(t, l, 3, 3)
	about := project.Manifest{Name: "Scene", Requires: nil}
	if got := saved(t, l, about).Manifest.Requires; got != nil {
		t.Errorf("requires %v without a class of nothing", got)
	}
	for seed := range 3 {
		require.NoError(t, l.AddBackground(texture(30+seed)))
	}
	file := saved(t, l, about)
	m := file.Manifest
	if !m.Classes[2].Nothing || m.Classes[0].Nothing || !slices.Equal(m.Requires, []string{project.RequiresNothing}) {
		t.Errorf("classes %+v, requires %v", m.Classes, m.Requires)
	}
	again := require.Value(archive.Open(file, newLearner(t, &encoder{}, learner.Options{Digest: "abc"})))(t)
	if c := again.Classes(); !c[2].Background || len(c[2].Examples) != 3 || c[1].Background {
		t.Errorf("opened %+v", c)
	}
	sameAnswers(t, again, l)
	require.NoError(t, again.RemoveClass(again.Classes()[2].ID))
	if got := saved(t, again, m).Manifest.Requires; len(got) != 0 {
		t.Errorf("requires %v though the class of nothing is gone", got)
	}
}

// TestEmbeddingsOfNothing checks that pictures with zero embeddings are embedded again.
func TestEmbeddingsOfNothing(t *testing.T) {
	opt := learner.Options{Digest: "the same"}
	e := &encoder{}
	want, on := newLearner(t, &encoder{}, opt), newLearner(t, e, opt)
	teach(t, want, 2, 3)
	whole := saved(t, want, project.Manifest{})
	m := whole.Manifest
	var examples []project.Example
	for _, c := range m.Classes {
		examples = append(examples, c.Examples...)
	}
	filled := func(value float32) *archive.File {
		var buf bytes.Buffer
		require.NoError(t, archive.Write(&buf, &m, archive.Contents{
			Picture: func(i int) (*imaging.Image, error) { return whole.Picture(examples[i]) },
			Embedding: func(int) ([]float32, error) {
				return slices.Repeat([]float32{value}, m.Network.Nodes*m.Network.Channels), nil
			},
		}))
		return require.Value(archive.Read(bytes.NewReader(buf.Bytes()), int64(buf.Len())))(t)
	}
	file := filled(0)
	if file.Manifest.Network == nil || !archive.SameEmbeddings(&file.Manifest, on) {
		t.Fatal("the project's embeddings are not looked at")
	}
	before := e.passes
	got := require.Value(archive.Open(file, on))(t)
	if n := e.passes - before; n != 1+5 { // one shows that the network runs
		t.Errorf("%d passes through the network, want one more than for each of 5 examples", n)
	}
	sameAnswers(t, got, want)
}
