package embed

import (
	"slices"
	"testing"
)

// torch.nn.AdaptiveAvgPool2d computed the expected values from the ramp 0, 1, 2, … of each shape,
// with one channel.
func TestPool(t *testing.T) {
	tests := []struct {
		name    string
		h, w, n int
		want    []float32
	}{
		{"whole map", 5, 5, 1, []float32{12}},
		{"overlapping spans", 5, 5, 2, []float32{6, 8, 16, 18}},
		{"three of five", 5, 5, 3, []float32{3, 4.5, 6, 10.5, 12, 13.5, 18, 19.5, 21}},
		{"identity", 2, 2, 2, []float32{0, 1, 2, 3}},
		{"finer than the map", 2, 2, 3, []float32{0, 0.5, 1, 1, 1.5, 2, 2, 2.5, 3}},
		{"not square", 2, 4, 2, []float32{0.5, 2.5, 4.5, 6.5}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			const channels = 3
			src := make([]float32, test.h*test.w*channels)
			for i := range src {
				src[i] = float32(i/channels) + 100*float32(i%channels)
			}
			dst := make([]float32, test.n*test.n*channels)
			PoolMap(dst, src, test.h, test.w, channels, test.n)
			for c := range channels {
				var got []float32
				for i := c; i < len(dst); i += channels {
					got = append(got, dst[i]-100*float32(c))
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("channel %d: got %v, want %v", c, got, test.want)
				}
			}
		})
	}
}
