package imaging

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// Resize returns src scaled to width×height, bit for bit like Pillow's Image.resize((width,
// height), BILINEAR): a triangle filter, widened for reduction, along the rows, rounded to 8 bits,
// then along the columns. It panics if a side is not positive.
func Resize(src *Image, width, height int) *Image {
	if width < 1 || height < 1 {
		panic(fmt.Sprintf("imaging: resize to %d×%d", width, height))
	}
	dst := newImage(width, height)
	resample(dst, fullView(src), width, height, 0, 0)
	return dst
}

// view is a part of a picture, without a copy.
type view struct {
	image               *Image
	x, y, width, height int
}

func fullView(m *Image) view { return view{m, 0, 0, m.Width, m.Height} }

// row returns row y of the view, [width, 3].
func (v view) row(y int) []uint8 { return v.image.row(v.y + y)[3*v.x:][:3*v.width] }

// resample scales src to width×height and fills dst with the part of the result at (left, top). An
// axis that keeps its size is copied.
func resample(dst *Image, src view, width, height, left, top int) {
	r := resamplers.Get().(*resampler)
	r.run(dst, src, width, height, left, top)
	r.rows.src = view{} // release the picture
	resamplers.Put(r)
}

var resamplers = sync.Pool{New: func() any { return new(resampler) }}

// resampler is the working memory of resample for pictures of one size.
type resampler struct {
	across, down keptAxis
	rows         rowResampler
	sums         []int32
}

func (r *resampler) run(dst *Image, src view, width, height, left, top int) {
	rows := &r.rows
	rows.src, rows.left, rows.size, rows.across = src, left, 3*dst.Width, nil
	if src.width != width {
		rows.across = r.across.of(src.width, width, left, dst.Width)
	}
	if src.height == height {
		rows.keep(1)
		for y := range dst.Height {
			copy(dst.row(y), rows.row(top+y))
		}
		return
	}
	down := r.down.of(src.height, height, top, dst.Height)
	rows.keep(down.taps)
	r.sums = slices.Grow(r.sums[:0], 3*dst.Width)[:3*dst.Width]
	sums := r.sums
	for y := range dst.Height {
		first, weights := down.at(y)
		for i := range sums {
			sums[i] = 1 << (weightBits - 1) // one half, for rounding
		}
		for k, w := range weights {
			row := rows.row(first + k)[:len(sums)]
			for i := range sums {
				sums[i] += int32(row[i]) * w
			}
		}
		row := dst.row(y)[:len(sums)]
		for i, sum := range sums {
			row[i] = clip(sum)
		}
	}
}

// rowResampler returns rows of a picture resized along the rows. The windows of requested rows
// overlap and move down, so it caches the last few.
type rowResampler struct {
	src    view
	across *axis // nil if the width stays
	left   int   // first requested pixel of the result
	size   int   // 3 × number of requested pixels
	slots  []uint8
	made   []int // row number + 1 of each slot
}

func (r *rowResampler) keep(n int) {
	if r.across != nil {
		r.slots = slices.Grow(r.slots[:0], n*r.size)[:n*r.size]
		r.made = slices.Grow(r.made[:0], n)[:n]
		clear(r.made)
	}
}

// row returns resized row y, which is valid until the cache has replaced it.
func (r *rowResampler) row(y int) []uint8 {
	if r.across == nil {
		return r.src.row(y)[3*r.left:][:r.size]
	}
	slot := y % len(r.made)
	dst := r.slots[slot*r.size:][:r.size]
	if r.made[slot] != y+1 {
		r.made[slot] = y + 1
		src := r.src.row(y)
		for i := range r.across.first {
			first, weights := r.across.at(i)
			q := (*[3]uint8)(dst[3*i:])
			q[0], q[1], q[2] = weightedMean(src[3*first:], weights)
		}
	}
	return dst
}

// weightedMean returns the weighted mean of the first len(weights) pixels of p. Resizing spends most of
// its time here, so it takes four pixels at a time.
func weightedMean(p []uint8, weights []int32) (red, green, blue uint8) {
	const half = 1 << (weightBits - 1)
	r, g, b := int32(half), int32(half), int32(half)
	for len(weights) >= 4 && len(p) >= 12 {
		q, w := (*[12]uint8)(p), (*[4]int32)(weights)
		r += int32(q[0])*w[0] + int32(q[3])*w[1] + int32(q[6])*w[2] + int32(q[9])*w[3]
		g += int32(q[1])*w[0] + int32(q[4])*w[1] + int32(q[7])*w[2] + int32(q[10])*w[3]
		b += int32(q[2])*w[0] + int32(q[5])*w[1] + int32(q[8])*w[2] + int32(q[11])*w[3]
		p, weights = p[12:], weights[4:]
	}
	for k, w := range weights {
		q := (*[3]uint8)(p[3*k:])
		r += int32(q[0]) * w
		g += int32(q[1]) * w
		b += int32(q[2]) * w
	}
	return clip(r), clip(g), clip(b)
}

// clip drops the fraction and limits to eight bits: rounded weights can sum to more than one.
func clip(sum int32) uint8 { return uint8(min(sum>>weightBits, 255)) }

// weightBits is the number of fractional bits of the weights: 255 times their sum still fits a
// signed 32-bit integer.
const weightBits = 32 - 8 - 2

// axis holds the weights of resampling along one axis: Pillow's BILINEAR, a triangle filter that
// widens for reduction to avoid aliasing, in Pillow's fixed point.
type axis struct {
	taps    int // maximum number of weights per sample
	first   []int
	count   []int
	weights []int32 // [len(first), taps], fixed point
}

// newAxis returns the axis for resizing in samples to out, for n samples of the result starting at
// from.
func newAxis(in, out, from, n int) axis {
	// Explicit conversions prevent fused multiply-add, whose rounding could change a weight.
	scale := float64(in) / float64(out)
	support := max(scale, 1)
	taps := 2*int(math.Ceil(support)) + 1
	a := axis{taps: taps, first: make([]int, n), count: make([]int, n), weights: make([]int32, n*taps)}
	exact := make([]float64, taps)
	for i := range n {
		center := float64((float64(from+i) + 0.5) * scale)
		first := max(int(center-support+0.5), 0)
		count := min(int(center+support+0.5), in) - first
		sum := 0.0
		for k := range count {
			distance := math.Abs(float64((float64(k+first) - center + 0.5) * float64(1/support)))
			exact[k] = max(1-distance, 0)
			sum += exact[k]
		}
		w := a.weights[i*taps:][:count]
		for k := range w {
			w[k] = int32(0.5 + float64(exact[k]/sum)*(1<<weightBits))
		}
		a.first[i], a.count[i] = first, count
	}
	return a
}

// at returns the first source sample of sample i, and the weights of that and the following
// samples.
func (a *axis) at(i int) (first int, weights []int32) {
	return a.first[i], a.weights[i*a.taps:][:a.count[i]]
}

// keptAxis caches the latest axis.
type keptAxis struct {
	axis
	in, out, from, n int
}

// of is newAxis with the cache.
func (k *keptAxis) of(in, out, from, n int) *axis {
	if k.in != in || k.out != out || k.from != from || k.n != n {
		*k = keptAxis{newAxis(in, out, from, n), in, out, from, n}
	}
	return &k.axis
}
