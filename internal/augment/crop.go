package augment

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

// cropAspect bounds the ratio of a crop's sides, as torchvision's
// RandomResizedCrop does.
const cropAspect = 4. / 3

// resizedCrop cuts out a rectangle of a random share of the area, from minArea
// to all of it, and random proportions, and scales it to size×size, as
// torchvision's RandomResizedCrop does.
func resizedCrop(img *imaging.Image, minArea float64, size int, r *rand.Rand) *imaging.Image {
	area := float64(img.Width * img.Height)
	for range 10 {
		share := minArea + (1-minArea)*r.Float64()
		aspect := math.Exp((2*r.Float64() - 1) * math.Log(cropAspect))
		w, h := int(math.Round(math.Sqrt(area*share*aspect))), int(math.Round(math.Sqrt(area*share/aspect)))
		if w > 0 && h > 0 && w <= img.Width && h <= img.Height {
			crop := imaging.Crop(img, r.IntN(img.Width-w+1), r.IntN(img.Height-h+1), w, h)
			return imaging.Resize(crop, size, size)
		}
	}
	return img
}

// paddedCrop cuts a picture of the old size out of one that is mirrored at its
// edges by pad of its side.
func paddedCrop(img *imaging.Image, pad float64, r *rand.Rand) *imaging.Image {
	px, py := int(math.Round(pad*float64(img.Width))), int(math.Round(pad*float64(img.Height)))
	dx, dy := r.IntN(2*px+1)-px, r.IntN(2*py+1)-py
	out := &imaging.Image{Width: img.Width, Height: img.Height, Pix: make([]uint8, len(img.Pix))}
	for y := range img.Height {
		from := img.Pix[mirror(y+dy, img.Height)*img.Width*3:][:img.Width*3]
		to := out.Pix[y*img.Width*3:][:img.Width*3]
		for x := range img.Width {
			copy(to[x*3:][:3], from[mirror(x+dx, img.Width)*3:])
		}
	}
	return out
}

// mirror maps a place outside 0…n−1 to its mirror image about the edge's pixel,
// as NumPy's mode "reflect" does.
func mirror(i, n int) int {
	if n == 1 {
		return 0
	}
	period := 2 * (n - 1)
	i = ((i % period) + period) % period
	return min(i, period-i)
}
