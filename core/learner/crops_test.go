package learner

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

func TestInfoOfCrops(t *testing.T) {
	encoder := &fakeEncoder{}
	e := require.Value(New(encoder, with(method.Method{Embedder: method.Embedder{Kind: "grid"}})))(t)
	if got := e.Info(); got.Nodes != 4+9 || got.Inputs != 4+9 || got.Channels != 3 {
		t.Errorf("info %+v", got)
	}
	if encoder.forwards != 1 {
		t.Errorf("%d passes through the network to start, want 1", encoder.forwards)
	}
}

// TestEncodedElsewhere checks that an image whose crops were encoded by two learners gives the
// same answers as with one learner, and that adding the Seen image again gives the same
// example.
func TestEncodedElsewhere(t *testing.T) {
	start := func(choice method.Embedder) *Learner {
		t.Helper()
		l := require.Value(OpenWith(smallWeights(t), with(method.Method{Embedder: choice})))(t)
		return l
	}
	scores := func(l *Learner, p Picture) []answer.Score {
		t.Helper()
		answer := require.Value(l.Model().Classify(p))(t)
		return slices.Clone(answer.Scores)
	}
	for _, choice := range []method.Embedder{{Kind: "grid"}, {Kind: "sampling", Patches: 5, Seed: 9}} {
		alone, led, helper := start(choice), start(choice), start(method.Embedder{})
		// shared encodes the crops of an image with two learners.
		shared := func(p Picture) Picture {
			in := require.Value(led.Inputs(p))(t)
			size := in.Size * in.Size * 3
			if in.Size != 32 || len(in.Pixels) != in.N*size {
				t.Fatalf("%d crops of %d pixels in %d bytes", in.N, in.Size, len(in.Pixels))
			}
			var features []float32
			for i, l := range []*Learner{led, helper} {
				part := require.Value(l.Encode([][]byte{in.Pixels[:2*size], in.Pixels[2*size:]}[i]))(t)
				features = append(features, part...)
			}
			return Picture{Inputs: in, Features: features}
		}
		again := start(choice)
		for id, p := range map[string]Picture{"r": red, "b": blue} {
			teach(t, alone, id, p)
			teach(t, led, id, shared(p))
			want := alone.Classes()[len(alone.Classes())-1].Examples[0].Seen
			got := led.Classes()[len(led.Classes())-1].Examples[0].Seen
			if got.Width != want.Width || !slices.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: other pixels are seen", choice.Kind)
			}
			teach(t, again, id, Picture{Width: want.Width, Height: want.Height, Data: want.Pix})
		}
		want := scores(alone, green)
		if got := scores(led, shared(green)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", choice.Kind, got, want)
		}
		if got := scores(again, green); !slices.Equal(got, want) {
			t.Errorf("%s, taught by what was seen: %v, want %v", choice.Kind, got, want)
		}
	}
}

func TestEncodedElsewhereErrors(t *testing.T) {
	grid := newEngine(t, with(method.Method{Embedder: method.Embedder{Kind: "grid", Grid: []int{2}}}))
	teach(t, grid, "red", red)
	of := require.Value(grid.Inputs(red))(t)
	classify := func(in *Inputs, features int) error {
		_, err := grid.Model().Classify(Picture{Inputs: in, Features: make([]float32, features)})
		return err
	}
	inputs := func(e *Learner, p Picture) error {
		_, err := e.Inputs(p)
		return err
	}
	encode := func(bytes int) error {
		_, err := grid.Encode(make([]byte, bytes))
		return err
	}
	for _, c := range []struct {
		name, want string
		code       Code
		err        error
	}{
		{"features out of nothing", "without their inputs", CodeInternal, classify(nil, 12)},
		{"no picture", "", CodeBadImage, inputs(grid, Picture{Data: []byte("letter")})},
		{"fcn", "no crops", CodeInternal, inputs(newEngine(t, with(method.Method{})), red)},
		{"no crop", "0 bytes", CodeInternal, encode(0)},
		{"half a crop", "multiple of 192", CodeInternal, encode(100)},
		{"inputs", "", "", inputs(grid, red)},
		{"too few features", "want 3 for each of 4 crops", CodeInternal, classify(of, 11)},
		{"features", "", "", classify(of, 12)},
		{"inputs rebuilt from their pixels", "as Learner.Inputs returned them", CodeInternal, classify(&Inputs{N: of.N, Size: of.Size, Pixels: of.Pixels}, 12)},
		{"inputs of another embedder", "same method", CodeInternal, classify(require.Value(newEngine(t, with(method.Method{Embedder: method.Embedder{Kind: "grid", Grid: []int{3}}})).Inputs(red))(t), 27)},
	} {
		if c.code == "" {
			if c.err != nil {
				t.Errorf("%s: %v", c.name, c.err)
			}
			continue
		}
		wantCode(t, c.err, c.code)
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, c.err, c.want)
		}
	}
}
