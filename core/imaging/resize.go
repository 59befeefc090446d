package imaging

import (
	"fmt"
	"slices"
	"sync"
)

// Resize returns src scaled to width×height as Pillow's
// Image.resize((width, height), BILINEAR) does, bit for bit: a widened triangle
// filter along the rows, rounded to 8 bits, then along the columns. It panics when
// a side is not positive.
func Resize(src *Image, width, height int) *Image {
	if width < 1 || height < 1 {
		panic(fmt.Sprintf("imaging: resize to %d×%d", width, height))
	}
	dst := newImage(width, height)
	resample(dst, whole(src), width, height, 0, 0)
	return dst
}

// view is a part of a picture, in place.
type view struct {
	image               *Image
	x, y, width, height int
}

func whole(m *Image) view { return view{m, 0, 0, m.Width, m.Height} }

// row returns row y of the view, [width, 3].
func (v view) row(y int) []uint8 { return v.image.row(v.y + y)[3*v.x:][:3*v.width] }

// resample scales src to width×height and fills dst with the part of the result
// whose top left corner is (left, top). An axis that keeps its size is copied.
func resample(dst *Image, src view, width, height, left, top int) {
	r := resamplers.Get().(*resampler)
	r.run(dst, src, width, height, left, top)
	r.rows.src = view{} // which may be large
	resamplers.Put(r)
}

var resamplers = sync.Pool{New: func() any { return new(resampler) }}

// resampler is the working memory of resample, for many pictures of one size.
type resampler struct {
	across, down keptAxis
	rows         rowResampler
	sums         []int32
}

// run is resample.
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
			sums[i] = 1 << (weightBits - 1)
		}
		for k, w := range weights {
			addRow(sums, rows.row(first+k), w)
		}
		round(dst.row(y), sums)
	}
}

// rowResampler gives the rows of a picture resized along its rows only. It is
// asked for neighbouring rows several times over, in windows that only move down,
// and keeps the last few.
type rowResampler struct {
	src    view
	across *axis // nil: the width stays
	left   int   // first pixel of the result that is asked for
	size   int   // 3 × number of pixels asked for
	slots  []uint8
	made   []int // number of the row in each slot + 1
}

// keep makes room for n rows.
func (r *rowResampler) keep(n int) {
	if r.across != nil {
		r.slots = slices.Grow(r.slots[:0], n*r.size)[:n*r.size]
		r.made = slices.Grow(r.made[:0], n)[:n]
		clear(r.made)
	}
}

// row returns resized row y, valid until as many others as are kept were made.
func (r *rowResampler) row(y int) []uint8 {
	if r.across == nil {
		return r.src.row(y)[3*r.left:][:r.size]
	}
	slot := y % len(r.made)
	dst := r.slots[slot*r.size:][:r.size]
	if r.made[slot] != y+1 {
		r.made[slot] = y + 1
		resampleRow(dst, r.src.row(y), r.across)
	}
	return dst
}

// resampleRow writes one row resized along a.
func resampleRow(dst, src []uint8, a *axis) {
	for i := range a.first {
		first, weights := a.at(i)
		q := (*[3]uint8)(dst[3*i:])
		q[0], q[1], q[2] = weigh(src[3*first:], weights)
	}
}

// weigh is the weighted mean of the first len(weights) pixels of p. Most of the
// time of resizing is spent here, hence four at a time.
func weigh(p []uint8, weights []int32) (red, green, blue uint8) {
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

// addRow adds w times a row to sums.
func addRow(sums []int32, row []uint8, w int32) {
	row = row[:len(sums)]
	for i := range sums {
		sums[i] += int32(row[i]) * w
	}
}

// round writes sums, which began at one half, without their fractions.
func round(dst []uint8, sums []int32) {
	dst = dst[:len(sums)]
	for i, s := range sums {
		dst[i] = clip(s)
	}
}

// clip drops the fraction and limits to eight bits: weights are rounded, so that
// their sum may exceed one.
func clip(sum int32) uint8 { return uint8(min(sum>>weightBits, 255)) }
