package bfloat16

import (
	"unsafe"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

// Transposed writes a map's blocks as operands A of [Conv.Gradient]: rows are channels, and terms
// are images. dst is a [NewOperand]; half a group fills half of its terms.
func Transposed(ctx *nn.Context, k *Kernels, dst, src *Map) {
	lines(ctx, src, func(block, y int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		for x := range src.W {
			from, to := src.pixel(block, y, x), dst.pixel(block, y, x)
			for i := 0; i < len(from); i += chunk {
				rows := from[i:min(i+chunk, len(from))]
				k.interleave(s.block[:], rows)
				transpose(to[i:], s.block[:], len(rows)/words)
			}
		}
	})
}

// Interleaved writes a map's blocks as operands B of [Conv.Gradient]: terms are images, and columns
// are channels. dst is as in [Transposed].
func Interleaved(ctx *nn.Context, k *Kernels, dst, src *Map) {
	lines(ctx, src, func(block, y int) {
		for x := range src.W {
			from, to := src.pixel(block, y, x), dst.pixel(block, y, x)
			for i := 0; i < len(from); i += chunk {
				k.interleave(to[i:], from[i:min(i+chunk, len(from))])
			}
		}
	})
}

const (
	// cached is the number of bytes of maps that a product reads before it continues with the next
	// tap: they stay in a core's cache.
	cached = 1 << 20
	// With fewer blocks of weights, the pixels are split too, to keep many cores busy.
	enoughBlocks = 16
	pixelParts   = 4
)

// Gradient sets the weights' gradient from the transposed input and the interleaved gradient of the
// output.
func (c *Conv) Gradient(ctx *nn.Context, in, dout *Map) {
	parts, size := 1, c.Taps*sums
	if c.inBlocks*c.outBlocks < enoughBlocks {
		parts = min(pixelParts, in.H)
		if len(c.parts) == 0 {
			c.parts = kernel.Aligned[float32](c.inBlocks * c.outBlocks * pixelParts * size)
		}
	}
	ctx.Split(c.inBlocks*c.outBlocks*parts, func(from, to int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		s.grow(c.Taps)
		for i := from; i < to; i++ {
			block, part := i/parts, i%parts
			dst := s.sums[:size]
			if parts > 1 {
				dst = c.parts[i*size:][:size]
			}
			c.sumPixels(s, dst, in, dout, block/c.outBlocks, block%c.outBlocks, part*in.H/parts, (part+1)*in.H/parts)
			if parts == 1 {
				c.store(dst, block/c.outBlocks, block%c.outBlocks)
			}
		}
	})
	if parts == 1 {
		return
	}
	ctx.Each(c.inBlocks*c.outBlocks, func(block int) {
		total := c.parts[block*parts*size:][:size]
		for part := 1; part < parts; part++ {
			kernel.AddTimes(total, 1, c.parts[(block*parts+part)*size:])
		}
		c.store(total, block/c.outBlocks, block%c.outBlocks)
	})
}

// sumPixels computes a block of every tap's gradient over rows of pixels.
func (c *Conv) sumPixels(s *scratch, dst []float32, in, dout *Map, inBlock, outBlock, from, to int) {
	lines := max(cached/(2*4*in.W*in.Rows*words), 1)
	for first := from; first < to; first += lines {
		for tap := range c.Taps {
			dy, dx := c.tap(tap)
			s.segments = s.segments[:0]
			for y := first; y < min(first+lines, to); y++ {
				for x := range in.W {
					if contains(in, y+dy, x+dx) {
						s.segments = append(s.segments, kernel.Segment{
							A: &in.Data[in.At(inBlock, y+dy, x+dx)],
							B: &dout.Data[dout.At(outBlock, y, x)],
						})
					}
				}
			}
			sum := dst[tap*sums:][:sums]
			switch {
			case len(s.segments) > 0:
				c.sumPictures(sum, s.segments, in.N, first > from)
			case first == from:
				clear(sum)
			}
		}
	}
}

// sumPictures adds products of blocks: whole groups of images, and a remainder of half a group.
func (c *Conv) sumPictures(sum []float32, segments []kernel.Segment, pictures int, accumulate bool) {
	products := c.kernels.products
	part := products.BlockPart()
	rows := (pictures + part - 1) / part * part
	whole, rest := rows/group, rows%group
	if whole > 0 {
		products.BlockProduct(sum, segments, whole, group, chunk, chunk, group, accumulate)
	}
	if rest == 0 {
		return
	}
	for i := range segments {
		s := &segments[i]
		s.A = (*uint32)(unsafe.Add(unsafe.Pointer(s.A), 4*whole*chunk))
		s.B = (*uint32)(unsafe.Add(unsafe.Pointer(s.B), 4*whole*chunk))
	}
	products.BlockProduct(sum, segments, 1, rest, chunk, chunk, group, accumulate || whole > 0)
}

// store copies the gradient of a block of all taps to the weights' gradient.
func (c *Conv) store(src []float32, inBlock, outBlock int) {
	first, col := inBlock*blockChannels-c.First, outBlock*blockChannels
	for tap := range c.Taps {
		sum := src[tap*sums:][:sums]
		if first >= 0 && first+blockChannels <= c.In && col+blockChannels <= c.Stride {
			c.kernels.spread(c.Grad[(tap*c.In+first)*c.Stride+col:], c.Stride, sum)
			continue
		}
		var held [group * blockChannels]float32
		c.kernels.spread(held[:], blockChannels, sum)
		for i := max(first, 0); i < min(first+blockChannels, c.In); i++ {
			row := c.Grad[(tap*c.In+i)*c.Stride:][:c.Stride]
			copy(row[min(col, c.Stride):], held[(i-first)*blockChannels:][:blockChannels])
		}
	}
}
