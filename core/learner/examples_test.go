package learner

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// asPicture returns a Seen image as an input.
func asPicture(seen *imaging.Image) Picture {
	return Picture{Width: seen.Width, Height: seen.Height, Data: slices.Clone(seen.Pix)}
}

// A learner with examples and their embeddings from another learner gives the same answers,
// including regions, without a pass through the network.
func TestExamplesComeBackWithEmbeddings(t *testing.T) {
	for name, m := range map[string]method.Method{
		"fcn":      {},
		"pyramid":  {Embedder: method.Embedder{Pyramid: []int{2, 1}}},
		"grid":     {Embedder: method.Embedder{Kind: "grid"}},
		"sampling": {Embedder: method.Embedder{Kind: "sampling", Patches: 5, Seed: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := newEngine(t, with(m)), newEngine(t, with(m))
			encoder := to.Model().net.encoder.(*fakeEncoder)
			before := encoder.forwards
			for id, picture := range map[string]Picture{"red": red, "green": green, "blue": blue} {
				require.NoError(t, from.AddClass(id, id))
				seen := require.Value(from.AddExample(id, id+"0", picture))(t)
				require.NoError(t, to.AddClass(id, id))
				p := asPicture(seen.View)
				p.Embedding = seen.Embedding.Data
				again := require.Value(to.AddExample(id, id+"0", p))(t)
				if !slices.Equal(again.View.Pix, p.Data) {
					t.Error("the pixels have changed on the way")
				}
				if got, want := again.Embedding.Regions, seen.Embedding.Regions; !slices.Equal(got, want) {
					t.Errorf("regions %v, want %v", got, want)
				}
			}
			if encoder.forwards != before {
				t.Errorf("%d passes through the network, want none", encoder.forwards-before)
			}
			query := plain(120, 110, 30, 16, 12)
			want := require.Value(from.Model().Classify(query))(t)
			got := require.Value(to.Model().Classify(query))(t)
			for i := range want.Scores {
				if got.Scores[i] != want.Scores[i] {
					t.Errorf("score %+v, want %+v", got.Scores[i], want.Scores[i])
				}
			}
		})
	}
}

func TestExamplesWithEmbeddingsErrors(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "red", red)
	good := e.Classes()[0].Examples[0].Embedding
	spoilt := slices.Clone(good)
	spoilt[1] = float32(math.NaN())
	restore := func(class, id string, p Picture, embedding []float32) error {
		p.Embedding = embedding
		_, err := e.AddExample(class, id, p)
		return err
	}
	wantCode(t, restore("blue", "x", red, good), CodeUnknownClass)
	wantCode(t, restore("red", "red0", red, good), CodeBadArgument)
	wantCode(t, restore("red", "", red, good), CodeBadArgument)
	short := restore("red", "x", red, good[1:])
	if wantCode(t, short, CodeBadArgument); !strings.Contains(short.Error(), "leave it out, and the network computes it") {
		t.Errorf("error %v, want the remedy", short)
	}
	wantCode(t, restore("red", "x", red, spoilt), CodeBadArgument)
	wantCode(t, restore("red", "x", Picture{Data: []byte("text")}, good), CodeBadImage)
	if err := restore("red", "x", red, good); err != nil {
		t.Errorf("a good one after the bad ones: %v", err)
	}
}

// An example keeps its pixels, which may have the size of the network's input. RGBA pixels are the
// same image as RGB pixels.
func TestPixelsAreKept(t *testing.T) {
	l := newEngine(t, Options{})
	rgb := Picture{Width: 8, Height: 8}
	rgba := rgb
	for i := range byte(64) {
		rgb.Data = append(rgb.Data, i, 2*i, 255-i)
		rgba.Data = append(rgba.Data, i, 2*i, 255-i, 255)
	}
	for _, p := range []Picture{rgb, rgba} {
		require.NoError(t, l.Add("a", p))
		answered(t, l, plain(9, 9, 9, 8, 8))
	}
	for _, e := range l.Classes()[0].Examples {
		if !bytes.Equal(e.Seen.Pix, rgb.Data) {
			t.Errorf("example %s has become %v", e.ID, e.Seen.Pix)
		}
	}
}
