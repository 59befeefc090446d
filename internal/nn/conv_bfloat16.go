package nn

import (
	"math"
	"sync"

	"github.com/deepemd/deepemd/internal/kernel"
)

// BFloat16 computes a convolution in hardware that multiplies blocks of bfloat16.
// It splits values and filters into two bfloat16 each, which together hold 16 bits
// of them, and adds up three of the four products: the fourth is smaller than the
// rounding error. The result is nearly as good as that of float32, at a third of
// the hardware's speed.
//
// It reads maps as rows of pixels, one picture after the other, with one zero after
// each row and a row of zeros after each picture: a tap is then a distance, the
// same for all pixels. Results for the zeros are dropped.
type BFloat16 struct {
	in, out   int // channels as stored
	inBlocks  int
	outBlocks int
	packed    []uint32 // [outBlocks, 9, inBlocks, 2 parts] blocks of B
}

const (
	rowWords = kernel.BlockSide / 2 // of a row of a block
	// chunksTogether is the number of blocks of sums that are computed together.
	chunksTogether = 4
	// filtersInCache is how many words of filters stay in a core's cache while map
	// and result go by.
	filtersInCache = 1 << 18
	// stripWords is how many words of a map stay there beside them.
	stripWords = 1 << 17
)

// channelBlocks is the number of blocks that so many channels fill.
func channelBlocks(channels int) int { return (channels + kernel.BlockSide - 1) / kernel.BlockSide }

// NewBFloat16 returns a convolution by the taps.
func NewBFloat16(taps Taps) *BFloat16 {
	p := &BFloat16{in: taps.In, out: taps.Out, inBlocks: channelBlocks(taps.In), outBlocks: channelBlocks(taps.Out)}
	p.packed = kernel.Aligned[uint32](p.outBlocks * 9 * 2 * p.inBlocks * kernel.BlockWords)
	for tap := range 9 {
		for i := range taps.In {
			row := taps.Data[(tap*taps.In+i)*taps.Out:][:taps.Out]
			for o, w := range row {
				first, second := kernel.Split(w)
				at := o%kernel.BlockSide/16*256 + i%kernel.BlockSide/2*16 + o%16
				for part, half := range [2]uint32{first, second} {
					p.filters(o/kernel.BlockSide, tap, part, i/kernel.BlockSide)[at] |= half << (i % 2 * 16)
				}
			}
		}
	}
	return p
}

// filters is the block of B of two blocks of channels.
func (p *BFloat16) filters(out, tap, part, in int) []uint32 {
	return p.packed[(((out*9+tap)*p.inBlocks+in)*2+part)*kernel.BlockWords:][:kernel.BlockWords]
}

// bfloat16Scratch is the working memory of one goroutine.
type bfloat16Scratch struct {
	segments []kernel.Segment
	sums     []float32
	strip    []uint32
}

var bfloat16Scratches = sync.Pool{New: func() any {
	return &bfloat16Scratch{sums: kernel.Aligned[float32](chunksTogether * kernel.BlockSums)}
}}

// splitMap is a stretch of a map as products of blocks read it: [blocks, 2 parts, rows] rows
// of 32 bfloat16.
type splitMap struct {
	in            *Map
	line, picture int // rows from a pixel to the one below, and to the next picture's
	lead          int // rows before the first and after the last that is computed
	first, chunks int // the first chunk, and how many there are
	data          []uint32
}

// stretch describes chunks of a map, all of them if there are not that many.
func stretch(in *Map, first, chunks int) splitMap {
	m := splitMap{in: in, line: in.W + 1, picture: (in.W + 1) * (in.H + 1), lead: in.W + 2, first: first}
	all := (in.N*m.picture + kernel.BlockSide - 1) / kernel.BlockSide
	m.chunks = min(chunks, all-first)
	return m
}

// part is the size of one part of a block in words.
func (m *splitMap) part() int { return (m.chunks*kernel.BlockSide + 2*m.lead) * rowWords }

// fill splits a block of channels.
func (m *splitMap) fill(set *kernel.Set, block int) {
	in, part := m.in, m.part()
	first, second := m.data[2*block*part:][:part], m.data[(2*block+1)*part:][:part]
	channel := block * kernel.BlockSide
	row := m.first*kernel.BlockSide - m.lead
	for len(first) > 0 {
		left := len(first) / rowWords
		n, y, x := row/m.picture, row%m.picture/m.line, row%m.line
		run := min(left, m.line-x)
		switch {
		case row < 0:
			run = min(left, -row)
			clear(first[:run*rowWords])
			clear(second[:run*rowWords])
		case n >= in.N || y == in.H:
			clear(first[:run*rowWords])
			clear(second[:run*rowWords])
		default:
			if x+run == m.line { // the zero after the pixels
				run--
				clear(first[run*rowWords:][:rowWords])
				clear(second[run*rowWords:][:rowWords])
				run++
			}
			pixels := min(run, in.W-x)
			set.SplitPixels(first, second, in.Data[in.At(n, y, x)+channel:], pixels, in.Channels, min(kernel.BlockSide, in.Channels-channel))
		}
		row += run
		first, second = first[run*rowWords:], second[run*rowWords:]
	}
}

// Run computes out = leaky(conv(in) + bias), or leaky(out + conv(in) + bias)
// when add is set.
func (p *BFloat16) Run(c *Context, out, in *Map, bias []float32, add bool, slope float32) {
	if len(p.packed) < filtersInCache {
		p.runStrips(c, out, in, bias, add, slope)
		return
	}
	m := stretch(in, 0, math.MaxInt)
	m.data = c.splitBuffer(2 * p.inBlocks * m.part())
	c.Split(p.inBlocks, func(from, to int) {
		for block := from; block < to; block++ {
			m.fill(c.Kernels, block)
		}
	})
	// A panel of filters stays in the cache while the map goes by.
	groups := (m.chunks + chunksTogether - 1) / chunksTogether
	c.Split(p.outBlocks*groups, func(from, to int) {
		s := bfloat16Scratches.Get().(*bfloat16Scratch)
		defer bfloat16Scratches.Put(s)
		for i := from; i < to; i++ {
			p.chunks(c, s, out, &m, i/groups, i%groups*chunksTogether, bias, add, slope)
		}
	})
}

// runStrips goes through the map in strips that stay in the cache, as do all
// filters.
func (p *BFloat16) runStrips(c *Context, out, in *Map, bias []float32, add bool, slope float32) {
	all := stretch(in, 0, math.MaxInt).chunks
	size := max(stripWords/(2*p.inBlocks*kernel.BlockWords), 1)
	size = min(size, (all+2*c.Threads-1)/(2*c.Threads))
	c.Split((all+size-1)/size, func(from, to int) {
		s := bfloat16Scratches.Get().(*bfloat16Scratch)
		defer bfloat16Scratches.Put(s)
		for strip := from; strip < to; strip++ {
			m := stretch(in, strip*size, size)
			if need := 2 * p.inBlocks * m.part(); len(s.strip) < need {
				s.strip = kernel.Aligned[uint32](need)
			}
			m.data = s.strip
			for block := range p.inBlocks {
				m.fill(c.Kernels, block)
			}
			for block := range p.outBlocks {
				for first := 0; first < m.chunks; first += chunksTogether {
					p.chunks(c, s, out, &m, block, first, bias, add, slope)
				}
			}
		}
	})
}

// chunks computes up to chunksTogether blocks of sums of a block of channels, and ends
// the layer for them.
func (p *BFloat16) chunks(c *Context, s *bfloat16Scratch, out *Map, m *splitMap, block, first int, bias []float32, add bool, slope float32) {
	s.segments = s.segments[:0]
	for tap := range 9 {
		at := (m.lead + first*kernel.BlockSide + (tap/3-1)*m.line + tap%3 - 1) * rowWords
		s.segments = append(s.segments, kernel.Segment{A: &m.data[at], B: &p.filters(block, tap, 0, 0)[0]})
	}
	chunks := min(chunksTogether, m.chunks-first)
	a := kernel.Strides{Step: 2 * m.part(), Rest: m.part()}
	b := kernel.Strides{Step: 2 * kernel.BlockWords, Rest: kernel.BlockWords}
	c.Kernels.SplitProduct(s.sums, s.segments, p.inBlocks, a, b, chunks)
	p.finish(c, out, s.sums[:chunks*kernel.BlockSums], m, block, (m.first+first)*kernel.BlockSide, bias, add, slope)
}

// finish ends the layer for the pixels among rows of sums, which begin at a row.
func (p *BFloat16) finish(c *Context, out *Map, sums []float32, m *splitMap, block, first int, bias []float32, add bool, slope float32) {
	channel := block * kernel.BlockSide
	channels := min(kernel.BlockSide, p.out-channel)
	for left, row := len(sums)/kernel.BlockSide, first; left > 0; {
		n, y, x := row/m.picture, row%m.picture/m.line, row%m.line
		if n == out.N {
			return
		}
		run := min(left, m.line-x) // to the end of the line, with the zero after it
		if y < out.H && x < out.W {
			dst := out.Data[out.At(n, y, x)+channel:]
			c.Kernels.FinishPixels(dst, sums[(row-first)*kernel.BlockSide:], bias[channel:], add, min(run, out.W-x), out.Channels, channels, slope)
		}
		row, left = row+run, left-run
	}
}
