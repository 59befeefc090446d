package augment

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

const (
	bestQuality, worstQuality = 80., 10. // of JPEG
	fewPixels                 = 5        // by how much more than once pixels are scaled up at full strength
)

// compress writes a picture as JPEG and reads it again.
func compress(img *imaging.Image, strength float64, _ *rand.Rand) *imaging.Image {
	picture := image.NewRGBA(image.Rect(0, 0, img.Width, img.Height))
	for i, j := 0, 0; i+3 <= len(img.Pix); i, j = i+3, j+4 {
		copy(picture.Pix[j:j+3], img.Pix[i:i+3])
		picture.Pix[j+3] = 255
	}
	var file bytes.Buffer
	quality := int(math.Round(bestQuality * math.Pow(worstQuality/bestQuality, strength)))
	if err := jpeg.Encode(&file, picture, &jpeg.Options{Quality: quality}); err != nil {
		panic("disturb: a picture in memory cannot be written as JPEG: " + err.Error())
	}
	out, err := imaging.Decode(file.Bytes())
	if err != nil {
		panic("disturb: a JPEG that was just written cannot be read: " + err.Error())
	}
	return out
}

// lowResolution scales a picture down and up again.
func lowResolution(img *imaging.Image, strength float64, _ *rand.Rand) *imaging.Image {
	scaled := func(n int) int { return max(1, int(math.Round(float64(n)/(1+fewPixels*strength)))) }
	return imaging.Resize(imaging.Resize(img, scaled(img.Width), scaled(img.Height)), img.Width, img.Height)
}
