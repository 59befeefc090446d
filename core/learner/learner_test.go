package learner

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// fakeEncoder returns the mean color of each quarter of an 8×8 image: 2×2×3 features.
type fakeEncoder struct {
	forwards int
	spoil    float32 // added to every feature
	err      error
}

func (f *fakeEncoder) Meta() weights.Meta {
	return weights.Meta{Name: "fake", InputSize: 8, Widths: []int{1, 2, 3, 3}, Std: [3]float32{1, 1, 1}}
}

func (f *fakeEncoder) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	f.forwards++
	if f.err != nil {
		return nil, f.err
	}
	batch.MustShape("batch", -1, 8, 8, 3)
	out := tensor.New(batch.Shape[0], 2, 2, 3)
	for n := range batch.Shape[0] {
		for y := range 8 {
			for x := range 8 {
				for c := range 3 {
					out.Data[((n*2+y/4)*2+x/4)*3+c] += batch.Data[((n*8+y)*8+x)*3+c]/16 + f.spoil
				}
			}
		}
	}
	return out, nil
}

// plain returns an image with one color, as RGB pixels.
func plain(r, g, b byte, width, height int) Picture {
	p := Picture{Width: width, Height: height}
	for range width * height {
		p.Data = append(p.Data, r, g, b)
	}
	return p
}

var (
	red   = plain(220, 30, 20, 16, 12)
	green = plain(20, 200, 40, 16, 12)
	blue  = plain(20, 30, 240, 16, 12)
)

// with returns options with the common parts and a method, completed with defaults.
func with(m method.Method) Options {
	m.Balance = true
	return Options{Method: m.Complete()}
}

func newEngine(t *testing.T, opt Options) *Learner {
	t.Helper()
	e := require.Value(New(&fakeEncoder{}, opt))(t)
	return e
}

// reviewed reviews a learner's examples.
func reviewed(t testing.TB, l *Learner) *answer.Review {
	t.Helper()
	r := require.Value(l.Model().Review(context.Background(), nil))(t)
	return r
}

// answered classifies an image.
func answered(t testing.TB, l *Learner, p Picture) *Answer {
	t.Helper()
	a := require.Value(l.Model().Classify(p))(t)
	return a
}

// teach adds a class with the given examples, named <id>0, <id>1 and so on.
func teach(t *testing.T, e *Learner, id string, pictures ...Picture) {
	t.Helper()
	require.NoError(t, e.AddClass(id, "the "+id))
	for i, p := range pictures {
		require.Value(e.AddExample(id, id+string(rune('0'+i)), p))(t)
	}
}

// order classifies an image and returns the ids of the classes, best first.
func order(t *testing.T, e *Learner, p Picture) []string {
	t.Helper()
	answer := answered(t, e, p)
	var ids []string
	var sum float64
	for _, s := range answer.Scores {
		ids = append(ids, s.ID)
		sum += s.Score
	}
	want := 1.
	if e.Method().Strangers.Name {
		want = answer.Verdict.Known
	}
	if !(math.Abs(sum-want) <= 1e-12) {
		t.Errorf("probabilities sum to %v, want %v", sum, want)
	}
	return ids
}

func wantCode(t *testing.T, err error, code Code) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want one with code %q", err, code)
	}
}

func TestClassify(t *testing.T) {
	for _, m := range []method.Method{
		{},
		{Classifier: "prototype", Weighting: "cross-reference"},
		{Classifier: "nearest"},
		{Weighting: "equal"},
		{Embedder: method.Embedder{Pyramid: []int{2, 1}}},
		{Embedder: method.Embedder{Kind: "grid", Grid: []int{1, 2}}},
		{Embedder: method.Embedder{Kind: "sampling", Patches: 5, Seed: 1}},
	} {
		e := newEngine(t, with(m))
		teach(t, e, "red", red, plain(200, 10, 10, 8, 8))
		teach(t, e, "green", green)
		teach(t, e, "blue", blue)
		for want, p := range map[string]Picture{"red": red, "green": green, "blue": blue} {
			if got := order(t, e, p); len(got) != 3 || got[0] != want {
				t.Errorf("%+v: a %s picture gives %v", m, want, got)
			}
		}
	}
}

func TestInfo(t *testing.T) {
	got := newEngine(t, with(method.Method{Embedder: method.Embedder{Pyramid: []int{2, 1}}})).Info()
	if got.Nodes != 4+4+1 || got.Inputs != 1 || got.Channels != 3 || got.InputSize != 8 || got.Name != "fake" || got.Kernels == "" || got.Version != core.Version {
		t.Errorf("info %+v", got)
	}
}

func TestTeachingChangesTheAnswer(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "red", red)
	teach(t, e, "empty")
	teach(t, e, "blue", blue)
	if got := order(t, e, green); len(got) != 2 {
		t.Errorf("classes %v: want the two that have examples", got)
	}
	require.NoError(t, e.RenameClass("red", "scarlet"))
	answer, err := e.Model().Classify(red)
	if err != nil || answer.Scores[0].Label != "scarlet" {
		t.Errorf("after renaming: %+v, %v", answer, err)
	}
	teach(t, e, "green", green)
	if got := order(t, e, green); got[0] != "green" || len(got) != 3 {
		t.Errorf("a class added later: %v", got)
	}
	require.NoError(t, e.RemoveExample("blue0"))
	if got := order(t, e, blue); slices.Contains(got, "blue") {
		t.Errorf("a class without its example: %v", got)
	}
	require.NoError(t, e.RemoveClass("green"))
	if got := order(t, e, green); !slices.Equal(got, []string{"red"}) {
		t.Errorf("the only class left: %v", got)
	}
	require.NoError(t, e.RemoveClass("red"))
	_, err = e.Model().Classify(red)
	wantCode(t, err, CodeEmpty)
}

func TestEmbeddingsAreComputedOnce(t *testing.T) {
	encoder := &fakeEncoder{}
	e := require.Value(New(encoder, with(method.Method{})))(t)
	teach(t, e, "red", red, red)
	teach(t, e, "blue", blue)
	before := encoder.forwards
	for range 5 {
		order(t, e, green)
	}
	if got := encoder.forwards - before; got != 5 {
		t.Errorf("%d forwards for 5 classifications", got)
	}
}

// Adding the Seen images of AddExample to another learner gives the same scores.
func TestExamplesCanBeTaughtAgain(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	noisy := plain(0, 0, 0, 31, 23)
	for i := range noisy.Data {
		noisy.Data[i] = byte(i * i % 251)
	}
	require.NoError(t, e.AddClass("noise", ""))
	seen := require.Value(e.AddExample("noise", "a", noisy))(t)
	if v := seen.View; v.Width != 8 || v.Height != 8 || len(v.Pix) != 8*8*3 {
		t.Fatalf("seen %d×%d, %d bytes", v.Width, v.Height, len(v.Pix))
	}
	again := newEngine(t, with(method.Method{}))
	pixels := Picture{Data: slices.Clone(seen.View.Pix), Width: 8, Height: 8}
	teach(t, again, "noise", pixels)
	a := require.Value(e.Model().Classify(green))(t)
	b := require.Value(again.Model().Classify(green))(t)
	if a.Scores[0].Logit != b.Scores[0].Logit {
		t.Errorf("logit %v, taught again %v", a.Scores[0].Logit, b.Scores[0].Logit)
	}
}

func TestPictures(t *testing.T) {
	rgba := Picture{Width: 16, Height: 12}
	for i := 0; i < len(red.Data); i += 3 {
		rgba.Data = append(rgba.Data, red.Data[i], red.Data[i+1], red.Data[i+2], 255)
	}
	img := image.NewRGBA(image.Rect(0, 0, 16, 12))
	for i := range 16 * 12 {
		img.Set(i%16, i/16, color.RGBA{220, 30, 20, 255})
	}
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, img))
	e := newEngine(t, with(method.Method{}))
	require.NoError(t, e.AddClass("red", "red"))
	want := require.Value(e.AddExample("red", "rgb", red))(t)
	for name, p := range map[string]Picture{"rgba": rgba, "png": {Data: file.Bytes()}} {
		got, err := e.AddExample("red", name, p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(got.View.Pix, want.View.Pix) {
			t.Errorf("%s: other pixels than RGB", name)
		}
	}
	for name, p := range map[string]Picture{
		"nothing":        {},
		"no picture":     {Data: []byte("%PDF-1.7 is not read here")},
		"truncated":      {Data: file.Bytes()[:file.Len()/2]},
		"too few pixels": {Data: make([]byte, 10), Width: 4, Height: 4},
		"no height":      {Data: []byte{}, Width: 4},
		"no width":       {Data: []byte{}, Height: 4},
		"negative":       {Data: make([]byte, 12), Width: -2, Height: -2},
		"too wide":       {Data: make([]byte, 3*(1<<14+1)), Width: 1<<14 + 1, Height: 1},
		"too high":       {Data: make([]byte, 3*(1<<14+1)), Width: 1, Height: 1<<14 + 1},
		"huge":           {Data: make([]byte, 12), Width: 1 << 31, Height: 1 << 31},
	} {
		_, err := e.AddExample("red", "bad", p)
		wantCode(t, err, CodeBadImage)
		_, err = e.Model().Classify(p)
		wantCode(t, err, CodeBadImage)
		if t.Failed() {
			t.Fatalf("in case %q", name)
		}
	}
	for _, sides := range [][2]int{{1, 1 << 14}, {1 << 14, 1}} {
		require.Value(e.Model().Classify(plain(220, 30, 20, sides[0], sides[1])))(t)
	}
}

func TestErrors(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	_, err := e.Model().Classify(red)
	wantCode(t, err, CodeEmpty)
	teach(t, e, "red", red)
	wantCode(t, e.AddClass("red", "again"), CodeBadArgument)
	wantCode(t, e.AddClass("", "no id"), CodeBadArgument)
	wantCode(t, e.RenameClass("x", "y"), CodeUnknownClass)
	wantCode(t, e.RemoveClass("x"), CodeUnknownClass)
	if err := e.RemoveClass("x"); !strings.Contains(err.Error(), `no class with the id "x": add it first`) {
		t.Errorf("error %v, want the remedy", err)
	}
	wantCode(t, e.RemoveExample("x"), CodeUnknownExample)
	_, err = e.Model().ClassifyExample("x")
	wantCode(t, err, CodeUnknownExample)
	_, err = e.AddExample("x", "new", red)
	wantCode(t, err, CodeUnknownClass)
	_, err = e.AddExample("red", "red0", red)
	wantCode(t, err, CodeBadArgument)
	_, err = e.AddExample("red", "", red)
	wantCode(t, err, CodeBadArgument)
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		encoder fakeEncoder
		opt     Options
		code    Code
	}{
		{"classifier", fakeEncoder{}, with(method.Method{Classifier: "oracle"}), CodeBadArgument},
		{"weighting", fakeEncoder{}, with(method.Method{Weighting: "none"}), CodeBadArgument},
		{"pyramid", fakeEncoder{}, with(method.Method{Embedder: method.Embedder{Pyramid: []int{2, 0}}}), CodeBadArgument},
		{"high pyramid", fakeEncoder{}, with(method.Method{Embedder: method.Embedder{Pyramid: []int{1000}}}), CodeBadArgument},
		{"negative size", fakeEncoder{}, Options{Preprocess: imaging.Preprocess{Size: -5, Std: [3]float32{1, 1, 1}}}, CodeBadArgument},
		{"no size", fakeEncoder{}, Options{Preprocess: imaging.Preprocess{Std: [3]float32{1, 1, 1}}}, CodeBadArgument},
		{"negative resize", fakeEncoder{}, Options{Preprocess: imaging.Preprocess{Size: 8, Resize: -1, Std: [3]float32{1, 1, 1}}}, CodeBadArgument},
		{"huge resize", fakeEncoder{}, Options{Preprocess: imaging.Preprocess{Size: 8, Resize: 1 << 20, Std: [3]float32{1, 1, 1}}}, CodeBadArgument},
		{"huge size", fakeEncoder{}, Options{Preprocess: imaging.Preprocess{Size: 1 << 20, Std: [3]float32{1, 1, 1}}}, CodeBadArgument},
		{"no deviation", fakeEncoder{}, Options{Preprocess: imaging.Preprocess{Size: 32}}, CodeBadArgument},
		{"failing network", fakeEncoder{err: errors.New("no")}, with(method.Method{}), CodeBadWeights},
		{"NaN", fakeEncoder{spoil: float32(math.NaN())}, with(method.Method{}), CodeBadWeights},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(&c.encoder, c.opt)
			wantCode(t, err, c.code)
		})
	}
}

// smallWeights returns the weights file of a small network.
func smallWeights(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, networktest.ResNet12([]int{8, 16, 16, 32}, 32, 1).Encode(&buf, weights.F32))
	return buf.Bytes()
}

func TestLearnersThatSeeRefuseSounds(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "a", Picture{Data: []byte{9, 5, 1, 9, 5, 1, 9, 5, 1, 9, 5, 1}, Width: 2, Height: 2})
	_, err := e.Model().Classify(Picture{Samples: make([]float32, 24000), Rate: 48000})
	wantCode(t, err, CodeBadSound)
	if !strings.Contains(err.Error(), "Options.Hearing") {
		t.Error(err)
	}
	for _, begins := range []string{"ID3", "\xff\xfb\x90\x00", "RIFF1234WAVEfmt ", "OggS"} {
		_, err := e.Model().Classify(Picture{Data: []byte(begins + "a recording")})
		wantCode(t, err, CodeBadImage)
		if says := err.Error(); !strings.Contains(says, "recording, and this learner is for pictures") || !strings.Contains(says, "Options.Hearing") {
			t.Error(says)
		}
	}
}

// A learner of sounds also takes spectrograms: images of the network's size.
func TestSpectrogramsAreSounds(t *testing.T) {
	silent := fail(CodeSilent, "silent")
	e := newEngine(t, Options{Hearing: func(Picture) (*imaging.Image, []float32, error) { return nil, nil, silent }})
	require.NoError(t, e.AddClass("a", ""))
	for size, want := range map[image.Point]bool{image.Pt(8, 8): true, image.Pt(8, 9): false, image.Pt(9, 8): false} {
		img := image.NewRGBA(image.Rectangle{Max: size})
		for i := range size.X * size.Y {
			img.Set(i%size.X, i/size.X, color.RGBA{200, byte(4 * i), 30, 255})
		}
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, img))
		if _, err := e.AddExample("a", size.String(), Picture{Data: file.Bytes()}); (err == nil) != want || err != nil && !errors.Is(err, silent) {
			t.Errorf("an image of %v: error %v", size, err)
		}
	}
	if _, err := e.AddExample("a", "x", Picture{Data: []byte("noise")}); !errors.Is(err, silent) {
		t.Errorf("no image: error %v", err)
	}
}

// AddExample rejects embeddings without information, even from the learner's network.
func TestEmbeddingsThatSayNothingAreNotTaught(t *testing.T) {
	dead := networktest.ResNet12([]int{8, 16, 16, 32}, 32, 1)
	for _, weights := range dead.Tensors {
		clear(weights.Data)
	}
	var file bytes.Buffer
	require.NoError(t, dead.Encode(&file, weights.F32))
	for name, choice := range map[string]string{"whole": "", "crops": "embedder=grid grid=1,2"} {
		m := require.Value(method.Parse(choice))(t)
		l, err := OpenWith(file.Bytes(), Options{Method: m})
		require.NoError(t, err)
		require.NoError(t, l.AddClass("a", "a"))
		_, err = l.AddExample("a", "1", red)
		wantCode(t, err, CodeBadArgument)
		if err == nil || !strings.Contains(err.Error(), "the same value in all channels") || count(l.Model().classes) != 0 {
			t.Errorf("%s: error %v, and there are %d examples", name, err, count(l.Model().classes))
		}
	}
}
