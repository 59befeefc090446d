package bfloat16

// Moments are sums over all pixels and pictures of a map, for each channel: of
// one value, and of its product with another. A pixel is summed in float32,
// everything else in float64.
type Moments struct {
	lines    [][2][blockChannels]float64 // of a block's row of pixels
	perBlock int
	sums     [2][]float64 // [Blocks·32], in the order of the map's channels
}

// begin starts sums over a map of the shape of m.
func (m *Moments) begin(like *Map) {
	n := like.Blocks * like.H
	if cap(m.lines) < n {
		m.lines = make([][2][blockChannels]float64, n)
	}
	m.lines, m.perBlock = m.lines[:n], like.H
	clear(m.lines)
	if len(m.sums[0]) != like.Blocks*blockChannels {
		m.sums[0], m.sums[1] = make([]float64, like.Blocks*blockChannels), make([]float64, like.Blocks*blockChannels)
	}
}

// add adds the sums of a pixel to those of its line.
func (m *Moments) add(line int, pixel *moments) {
	for k := range pixel {
		for i, v := range pixel[k] {
			m.lines[line][k][i] += float64(v)
		}
	}
}

// Sums are the sums of the first value and of the product, for each channel of
// the map and what fills up its last block.
func (m *Moments) Sums() (first, product []float64) {
	for k := range m.sums {
		clear(m.sums[k])
	}
	for l := range m.lines {
		for k := range m.sums {
			for i, v := range m.lines[l][k] {
				m.sums[k][l/m.perBlock*blockChannels+i%words*2+i/words] += v
			}
		}
	}
	return m.sums[0], m.sums[1]
}
