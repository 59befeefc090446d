package imaging

import "fmt"

// Preprocess converts pictures to a network's inputs.
type Preprocess struct {
	// Size is the side of the network's square input, in pixels.
	Size int
	// Resize is the side of the square that a picture is scaled to without keeping its aspect
	// ratio, before the central Size×Size pixels are cut out: torchvision's Resize((r, r)),
	// CenterCrop(s), as in the published evaluation. With 0 the aspect ratio is kept: the largest
	// central square is cut out and scaled to Size.
	Resize int
	// Mean and Std of the training pixels, RGB, 0 to 1.
	Mean, Std [3]float32
}

// Pixels returns the network's Size×Size view of img: img itself if it has that size and Resize is
// 0 or Size. If Size exceeds Resize, the margin is black, as in CenterCrop. It panics if Size is not
// positive or Resize is negative.
func (p Preprocess) Pixels(img *Image) *Image {
	if p.Size < 1 || p.Resize < 0 {
		panic(fmt.Sprintf("imaging: preprocessing with size %d and resize %d", p.Size, p.Resize))
	}
	src, scaled := fullView(img), p.Resize
	if p.Resize == 0 {
		side := min(img.Width, img.Height)
		src, scaled = view{img, central(img.Width - side), central(img.Height - side), side, side}, p.Size
	}
	if img.Width == p.Size && img.Height == p.Size && scaled == p.Size {
		return img
	}
	dst := newImage(p.Size, p.Size)
	if p.Size <= scaled {
		at := central(scaled - p.Size)
		resample(dst, src, scaled, scaled, at, at)
		return dst
	}
	inner := Resize(img, scaled, scaled)
	at := (p.Size - scaled) / 2
	for y := range scaled {
		copy(dst.row(at + y)[3*at:], inner.row(y))
	}
	return dst
}

// Normalize writes (v/255 − mean)/std of every sample of img to dst, [Height, Width, 3], rounded
// like torchvision's ToTensor and Normalize. It panics if the lengths of dst and img.Pix differ.
func (p Preprocess) Normalize(dst []float32, img *Image) {
	if len(dst) != len(img.Pix) {
		panic(fmt.Sprintf("imaging: %d values for a picture of %d×%d×3", len(dst), img.Height, img.Width))
	}
	var table [256][3]float32
	for v := range table {
		for c := range p.Mean {
			centered := float32(float32(v)/255) - p.Mean[c]
			table[v][c] = centered / p.Std[c]
		}
	}
	for i := 0; i+3 <= len(dst); i += 3 {
		d, s := (*[3]float32)(dst[i:]), (*[3]uint8)(img.Pix[i:])
		d[0], d[1], d[2] = table[s[0]][0], table[s[1]][1], table[s[2]][2]
	}
}

// central returns the margin of a centered part: half of the spare pixels, rounded half to even
// like Python and torchvision.
func central(spare int) int { return (spare + spare>>1&1) >> 1 }
