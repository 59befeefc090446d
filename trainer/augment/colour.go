package augment

import (
	"math/rand/v2"

	"deepemd/core/imaging"
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
			blend(img, factor, func([]uint8) float32 { return 0 })
		case 1:
			mean := meanGrey(img)
			blend(img, factor, func([]uint8) float32 { return mean })
		default:
			blend(img, factor, func(pixel []uint8) float32 { return float32(grey(pixel)) })
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

// blend moves every pixel from what base gives for it: base + factor·(v − base),
// clipped and cut off to 8 bits as Pillow's Image.blend does.
func blend(img *imaging.Image, factor float32, base func(pixel []uint8) float32) {
	for i := 0; i < len(img.Pix); i += 3 {
		pixel := img.Pix[i : i+3]
		b := base(pixel)
		for c, v := range pixel {
			pixel[c] = uint8(min(max(b+factor*(float32(v)-b), 0), 255))
		}
	}
}
