package nn

import (
	"sync"

	"deepemd/core/kernel"
)

// Tiles computes a convolution in hardware that multiplies tiles of bfloat16.
// Values and filters are split into two bfloat16 each, which hold 16 bits of them
// together, and three of the four products are added up: the fourth is smaller
// than what is lost. So the result is nearly as good as that of float32, for a
// third of the hardware's speed.
//
// Maps are read as rows of pixels, one picture after the other, with one zero
// after each row of pixels and a row of zeros after each picture: a tap is then a
// distance, the same for all pixels. What is computed for the zeros is left out.
type Tiles struct {
	in, out   int // channels as stored
	inBlocks  int
	outBlocks int
	packed    []uint32 // [outBlocks, 9, 2 parts, inBlocks] pairs of tiles of B
}

const (
	tileWords = kernel.TileRows / 2 // of a row
	// tileChunks is how many blocks of sums are computed together.
	tileChunks = 4
	// filtersInCache is how many words of filters stay in a core's cache while map
	// and result go by.
	filtersInCache = 1 << 18
)

func tileBlocks(channels int) int { return (channels + kernel.TileRows - 1) / kernel.TileRows }

// NewTiles returns a convolution by the taps.
func NewTiles(taps Taps) *Tiles {
	p := &Tiles{in: taps.In, out: taps.Out, inBlocks: tileBlocks(taps.In), outBlocks: tileBlocks(taps.Out)}
	p.packed = kernel.Aligned[uint32](p.outBlocks * 9 * 2 * p.inBlocks * kernel.TileWords)
	for tap := range 9 {
		for i := range taps.In {
			row := taps.Data[(tap*taps.In+i)*taps.Out:][:taps.Out]
			for o, w := range row {
				first, second := kernel.Split(w)
				at := o%kernel.TileRows/16*256 + i%kernel.TileRows/2*16 + o%16
				for part, half := range [2]uint32{first, second} {
					p.tile(o/kernel.TileRows, tap, part, i/kernel.TileRows)[at] |= half << (i % 2 * 16)
				}
			}
		}
	}
	return p
}

// tile is the pair of tiles of B of two blocks of channels.
func (p *Tiles) tile(out, tap, part, in int) []uint32 {
	return p.packed[(((out*9+tap)*2+part)*p.inBlocks+in)*kernel.TileWords:][:kernel.TileWords]
}

// tileScratch is what one goroutine works with.
type tileScratch struct {
	segments []kernel.Segment
	sums     []float32
}

var tileScratches = sync.Pool{New: func() any {
	return &tileScratch{sums: kernel.Aligned[float32](tileChunks * kernel.TileSums)}
}}

// tileMap is a map as the tiles read it: two parts, each [blocks, rows] rows of 32
// bfloat16.
type tileMap struct {
	line, picture int // rows from a pixel to the one below, and to the next picture's
	lead          int // rows of zeros before the first pixel
	chunks        int // blocks of 32 rows that are computed
	rows          int
	parts         [2][]uint32
}

// load splits a map.
func (p *Tiles) load(c *Context, in *Map) tileMap {
	m := tileMap{line: in.W + 1, picture: (in.W + 1) * (in.H + 1), lead: in.W + 2}
	m.chunks = (in.N*m.picture + kernel.TileRows - 1) / kernel.TileRows
	m.rows = m.lead + m.chunks*kernel.TileRows + m.lead
	for i := range m.parts {
		m.parts[i] = c.tiles(i, p.inBlocks*m.rows*tileWords)
	}
	c.Split(p.inBlocks*in.N*in.H, func(from, to int) {
		for i := from; i < to; i++ {
			block, n, y := i/(in.N*in.H), i/in.H%in.N, i%in.H
			at := (block*m.rows + m.lead + n*m.picture + y*m.line) * tileWords
			channels := min(kernel.TileRows, p.in-block*kernel.TileRows)
			c.Kernels.SplitPixels(m.parts[0][at:], m.parts[1][at:], in.Data[in.At(n, y, 0)+block*kernel.TileRows:], in.W, p.in, channels)
		}
	})
	for _, part := range m.parts {
		for block := range p.inBlocks {
			rows := part[block*m.rows*tileWords:][:m.rows*tileWords]
			clear(rows[:m.lead*tileWords])
			for n := range in.N {
				for y := range in.H {
					clear(rows[(m.lead+n*m.picture+y*m.line+in.W)*tileWords:][:tileWords])
				}
				clear(rows[(m.lead+n*m.picture+in.H*m.line)*tileWords:][:m.line*tileWords])
			}
			clear(rows[(m.lead+in.N*m.picture)*tileWords:])
		}
	}
	return m
}

// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias)
// when add is set.
func (p *Tiles) Run(c *Context, out, in *Map, bias []float32, add bool, slope float32) {
	m := p.load(c, in)
	groups := (m.chunks + tileChunks - 1) / tileChunks
	// What is larger, filters or map, is gone through once.
	blockInner := len(p.packed) < filtersInCache
	c.Split(p.outBlocks*groups, func(from, to int) {
		s := tileScratches.Get().(*tileScratch)
		defer tileScratches.Put(s)
		for i := from; i < to; i++ {
			block, first := i/groups, i%groups*tileChunks
			if blockInner {
				block, first = i%p.outBlocks, i/p.outBlocks*tileChunks
			}
			chunks := min(tileChunks, m.chunks-first)
			s.segments = p.segments(s.segments[:0], &m, block, first)
			c.Kernels.TileProduct(s.sums, s.segments, p.inBlocks, m.rows*tileWords, kernel.TileWords, chunks, false)
			p.finish(c, out, s.sums[:chunks*kernel.TileSums], &m, block, first*kernel.TileRows, bias, add, slope)
		}
	})
}

// segments lists the products of a block of channels for rows from a chunk on.
func (p *Tiles) segments(list []kernel.Segment, m *tileMap, block, chunk int) []kernel.Segment {
	for tap := range 9 {
		at := (m.lead + chunk*kernel.TileRows + (tap/3-1)*m.line + tap%3 - 1) * tileWords
		first, second := &m.parts[0][at], &m.parts[1][at]
		filters, rest := &p.tile(block, tap, 0, 0)[0], &p.tile(block, tap, 1, 0)[0]
		list = append(list, kernel.Segment{A: first, B: filters}, kernel.Segment{A: second, B: filters}, kernel.Segment{A: first, B: rest})
	}
	return list
}

// finish ends the layer for the pixels among rows of sums, which begin at a row.
func (p *Tiles) finish(c *Context, out *Map, sums []float32, m *tileMap, block, first int, bias []float32, add bool, slope float32) {
	channel := block * kernel.TileRows
	channels := min(kernel.TileRows, p.out-channel)
	for left, row := len(sums)/kernel.TileRows, first; left > 0; {
		n, y, x := row/m.picture, row%m.picture/m.line, row%m.line
		if n == out.N {
			return
		}
		run := min(left, m.line-x) // to the end of the line, with the zero after it
		if y < out.H && x < out.W {
			dst := out.Data[out.At(n, y, x)+channel:]
			c.Kernels.FinishPixels(dst, sums[(row-first)*kernel.TileRows:], bias[channel:], add, min(run, out.W-x), out.Channels, channels, slope)
		}
		row, left = row+run, left-run
	}
}
