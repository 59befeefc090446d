package backbone

import "github.com/deepemd/deepemd/internal/nn"

// AveragePool computes the mean over the pixels of each picture: y [N, Channels]
// with the map's padded channels.
func AveragePool(y []float32, m *nn.Map) {
	clear(y[:m.N*m.Channels])
	scale := 1 / float32(m.H*m.W)
	for n := range m.N {
		sum := y[n*m.Channels:][:m.Channels]
		for yy := range m.H {
			for x := range m.W {
				for c, v := range m.Data[m.At(n, yy, x):][:m.Channels] {
					sum[c] += v
				}
			}
		}
		for c := range sum {
			sum[c] *= scale
		}
	}
}

// AveragePoolGradient writes the gradient of a map [N, H, W, C], without border
// and padding, from that of its average, dy [N, channels].
func AveragePoolGradient(dst, dy []float32, n, h, w, c, channels int) {
	scale := 1 / float32(h*w)
	for i := range n {
		row := dy[i*channels:][:c]
		for range h * w {
			for j, g := range row {
				dst[j] = g * scale
			}
			dst = dst[c:]
		}
	}
}
