package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// numbered returns a reader of pictures of one color, the number that is their
// name; it counts reads.
func numbered(reads *atomic.Int32) evaluate.Reader {
	return func(name string) (*imaging.Image, error) {
		reads.Add(1)
		var color uint8
		if _, err := fmt.Sscanf(name, "%d", &color); err != nil {
			return nil, fmt.Errorf("%s: not a picture", name)
		}
		img := &imaging.Image{Width: 3, Height: 2, Pix: make([]uint8, 3*2*3)}
		for i := range img.Pix {
			img.Pix[i] = color
		}
		return img, nil
	}
}

// corner is an encoder whose only node is the first pixel.
type corner struct{ err error }

func (corner) Meta() weights.Meta { return weights.Meta{} }

func (c corner) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	out := tensor.New(batch.Shape[0], 1, 1, 3)
	for i := range batch.Shape[0] {
		copy(out.Row(i), batch.Row(i))
	}
	return out, c.err
}

var plain = imaging.Preprocess{Size: 4, Resize: 8, Std: [3]float32{1, 1, 1}}

// telling shows progress by a function.
func telling(progress evaluate.Progress) evaluate.Shown {
	return func(work func(evaluate.Progress) error) error { return work(progress) }
}

func TestExtract(t *testing.T) {
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprint(i%150))
	}
	for _, threads := range []int{0, 1, 4} {
		var reads atomic.Int32
		last := -1
		features := require.Value(evaluate.Extract(t.Context(), names, numbered(&reads), evaluate.Extraction{
			Encoder: corner{}, Preprocess: plain, Threads: threads,
			Progress: telling(func(done, total int) {
				if done <= last || last < 0 && done != 0 || total != 150 {
					t.Errorf("progress %d of %d after %d", done, total, last)
				}
				last = done
			}),
		}))(t)
		if reads.Load() != 150 || len(features) != 150 || last != 150 {
			t.Errorf("%d threads: %d reads, %d features, progress %d; want 150 each", threads, reads.Load(), len(features), last)
		}
		for name, set := range features {
			if got := fmt.Sprintf("%.0f", set.Data[0]*255); got != name {
				t.Errorf("%d threads: picture %s has the features of %s", threads, name, got)
			}
		}
	}
	var none atomic.Int32
	if features, err := evaluate.Extract(t.Context(), nil, numbered(&none), evaluate.Extraction{Encoder: corner{}, Preprocess: plain}); err != nil || len(features) != 0 {
		t.Errorf("no pictures: %v, %v", features, err)
	}
}

func TestExtractErrors(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	names := func(bad string) []string {
		names := []string{bad}
		for i := range 200 {
			names = append(names, fmt.Sprint(i))
		}
		return names
	}
	tests := []struct {
		name    string
		ctx     context.Context
		names   []string
		encoder corner
		pre     imaging.Preprocess
		want    string
	}{
		{"unreadable image", t.Context(), names("x.png"), corner{}, plain, "x.png: not a picture"},
		{"network", t.Context(), names("7"), corner{errors.New("no memory")}, plain, "no memory"},
		{"no size", t.Context(), names("7"), corner{}, imaging.Preprocess{}, "input size 0"},
		{"canceled", canceled, names("7"), corner{}, plain, "context canceled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var reads atomic.Int32
			_, err := evaluate.Extract(test.ctx, test.names, numbered(&reads), evaluate.Extraction{
				Encoder: test.encoder, Preprocess: test.pre, Threads: 2,
			})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one that says %q", err, test.want)
			}
		})
	}
}

// TestQualityTellsGoodPicturesFromSpoiltOnes checks the thresholds of image quality on 600
// photographs of Tiny ImageNet, before and after disturbances.
func TestQualityTellsGoodPicturesFromSpoiltOnes(t *testing.T) {
	set := require.Value(data.OpenSplit(require.Shared(t, "datasets/tiny-imagenet.zip"), require.Shared(t, "datasets/tiny-imagenet.json")))(t)
	defer set.Close()
	var pictures []*imaging.Image
	var classes []int
	for c, class := range set.Classes()[:60] {
		for _, p := range set.Pictures(class)[:10] {
			img := require.Value(set.Image(p.Name))(t)
			pictures, classes = append(pictures, img), append(classes, c)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	disturbed := func(name string, strength float64, every int) []imaging.Measures {
		kind := require.Value(augment.ParseDisturbance(name))(t)
		var all []imaging.Measures
		for i := 0; i < len(pictures); i += every {
			all = append(all, imaging.Measure(kind.Apply(pictures[i], strength, r)))
		}
		return all
	}
	share := func(measures []imaging.Measures, problem imaging.Problem) float64 {
		n := 0.
		for _, m := range measures {
			if m.Problem() == problem {
				n++
			}
		}
		return n / float64(len(measures))
	}
	plain := disturbed("blur", 0, 1)
	good, dark, soft := share(plain, imaging.Good), share(disturbed("low-light", 1, 4), imaging.Dark), share(disturbed("blur", 0.5, 4), imaging.Blurred)
	t.Logf("good: %.1f%% of photographs; dark: %.1f%% in low light; blurred: %.1f%% out of focus", 100*good, 100*dark, 100*soft)
	if good < 0.98 {
		t.Errorf("%.1f%% of photographs are good, want 98%% at least", 100*good)
	}
	if dark < 0.75 || soft < 0.85 {
		t.Errorf("found out: %.1f%% of dark and %.1f%% of blurred pictures, want 75%% and 85%% at least", 100*dark, 100*soft)
	}

	photographs := require.Value(data.OpenSplit(require.Shared(t, "datasets/caltech101.zip"), ""))(t)
	defer photographs.Close()
	var ordinary []imaging.Measures
	for _, class := range photographs.Classes() {
		for _, p := range photographs.Pictures(class)[:4] {
			ordinary = append(ordinary, imaging.Measure(require.Value(photographs.Image(p.Name))(t)))
		}
	}
	if blurred := share(ordinary, imaging.Blurred); blurred > 0.05 {
		t.Errorf("%.1f%% of Caltech-101's photographs count as blurred, want 5%% at most", 100*blurred)
	}

	pairs, alike := 0, 0
	for i := range plain {
		for j := range i {
			if classes[i] == classes[j] {
				pairs++
				if plain[i].Correlation(plain[j]) >= imaging.TooAlike {
					alike++
				}
			}
		}
	}
	same := 0
	noisy := disturbed("noise", 0.25, 4)
	for i, m := range noisy {
		if m.Correlation(plain[4*i]) >= imaging.TooAlike {
			same++
		}
	}
	t.Logf("all but the same: %d of %d pairs of a class, %d of %d pictures with noise beside themselves", alike, pairs, same, len(noisy))
	if alike*500 > pairs {
		t.Errorf("%d of %d different pictures count as the same", alike, pairs)
	}
	if same*10 < 9*len(noisy) {
		t.Errorf("%d of %d pictures are recognized with a little noise", same, len(noisy))
	}
}

// pixels is an encoder whose map is its input.
type pixels struct{}

func (pixels) Meta() weights.Meta { return weights.Meta{} }

func (pixels) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) { return batch, nil }

// slope returns an image that grows lighter to the right.
func slope() *imaging.Image {
	img := &imaging.Image{Width: 16, Height: 16, Pix: make([]uint8, 16*16*3)}
	for i := range img.Pix {
		img.Pix[i] = uint8(16 * (i / 3 % 16))
	}
	return img
}

// The map of the mirror image is mirrored back: for a network that returns its input, the mean is the
// image itself, which stays as it was.
func TestMirrored(t *testing.T) {
	pre := imaging.Preprocess{Size: 16, Std: [3]float32{1, 1, 1}}
	img := slope()
	before := slices.Clone(img.Pix)
	fcn := embed.FCN{Pyramid: []int{2}}
	alone := require.Value(embed.Embed(fcn, pixels{}, pre, img))(t)[0]
	mean := require.Value(embed.Embed(evaluate.Mirrored{FCN: fcn}, pixels{}, pre, img))(t)[0]
	if mean.N != 4+256 || len(mean.Regions) != 4+256 {
		t.Fatalf("%d nodes", mean.N)
	}
	for i, x := range mean.Data {
		if !(math.Abs(float64(x-alone.Data[i])) <= 1e-6) {
			t.Fatalf("value %d is %g, want %g", i, x, alone.Data[i])
		}
	}
	if !slices.Equal(img.Pix, before) {
		t.Error("the picture itself was changed")
	}
	maps := tensor.New(2, 2, 3, 1)
	copy(maps.Data, []float32{1, 2, 3, 4, 5, 6, 3, 2, 1, 6, 5, 4})
	if got := (evaluate.Mirrored{}).Set(evaluate.Mirrored{}.Crops(pre, img), maps); !slices.Equal(got.Data, maps.Row(0)) {
		t.Errorf("maps of two rows: %v", got.Data)
	}
}
