package augment

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

// colours changes brightness, contrast and saturation by random factors in a
// random order: torchvision's ColorJitter, whose operations blend a picture with
// black, with its mean grey, and with its own grey.
func (p Policy) colours(img *imaging.Image, r *rand.Rand) {
	if p.Brightness == 0 && p.Contrast == 0 && p.Saturation == 0 {
		return
	}
	for _, which := range r.Perm(3) {
		spread := [3]float64{p.Brightness, p.Contrast, p.Saturation}[which]
		factor := float32(1 + spread*(2*r.Float64()-1))
		if spread == 0 {
			continue
		}
		switch which {
		case 0:
			blendAll(img, factor, 0)
		case 1:
			blendAll(img, factor, meanGrey(img))
		default:
			blendGrey(img, factor)
		}
	}
}

// grey is the luma of a pixel in the fixed-point arithmetic of Pillow's
// conversion from RGB to L.
func grey(pixel []uint8) uint8 {
	return uint8((int(pixel[0])*19595 + int(pixel[1])*38470 + int(pixel[2])*7471 + 1<<15) >> 16)
}

// meanGrey is the mean luma, rounded as Pillow's ImageEnhance.Contrast does.
func meanGrey(img *imaging.Image) float32 {
	sum := 0
	for i := 0; i < len(img.Pix); i += 3 {
		sum += int(grey(img.Pix[i:]))
	}
	return float32(int(float64(sum)/float64(len(img.Pix)/3) + 0.5))
}

// blend moves a value away from base, clipped and cut off to 8 bits as Pillow's
// Image.blend does.
func blend(v uint8, factor, base float32) uint8 {
	return uint8(min(max(base+factor*(float32(v)-base), 0), 255))
}

// blendAll blends a picture with one grey.
func blendAll(img *imaging.Image, factor, base float32) {
	var table [256]uint8
	for v := range table {
		table[v] = blend(uint8(v), factor, base)
	}
	for i, v := range img.Pix {
		img.Pix[i] = table[v]
	}
}

// blendGrey blends every pixel with its own grey.
func blendGrey(img *imaging.Image, factor float32) {
	for i := 0; i+3 <= len(img.Pix); i += 3 {
		pixel := img.Pix[i : i+3 : i+3]
		base := float32(grey(pixel))
		pixel[0], pixel[1], pixel[2] = blend(pixel[0], factor, base), blend(pixel[1], factor, base), blend(pixel[2], factor, base)
	}
}
