package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// numbered is a reader of pictures of one colour, the number that is their
// name; it counts reads.
func numbered(reads *atomic.Int32) evaluate.Reader {
	return func(name string) (*imaging.Image, error) {
		reads.Add(1)
		var colour uint8
		if _, err := fmt.Sscanf(name, "%d", &colour); err != nil {
			return nil, fmt.Errorf("%s: not a picture", name)
		}
		img := &imaging.Image{Width: 3, Height: 2, Pix: make([]uint8, 3*2*3)}
		for i := range img.Pix {
			img.Pix[i] = colour
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
			Progress: func(done, total int) {
				if done <= last || last < 0 && done != 0 || total != 150 {
					t.Errorf("progress %d of %d after %d", done, total, last)
				}
				last = done
			},
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
	cancelled, cancel := context.WithCancel(t.Context())
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
		{"unreadable picture", t.Context(), names("x.png"), corner{}, plain, "x.png: not a picture"},
		{"network", t.Context(), names("7"), corner{errors.New("no memory")}, plain, "no memory"},
		{"no size", t.Context(), names("7"), corner{}, imaging.Preprocess{}, "input size 0"},
		{"cancelled", cancelled, names("7"), corner{}, plain, "context canceled"},
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
