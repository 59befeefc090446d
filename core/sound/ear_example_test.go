package sound_test

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/sound"
)

// A tone of a microphone becomes the picture of its spectrogram.
func ExampleEar() {
	const rate = 48000
	tone := make([]float32, 2*rate)
	for i := range tone {
		tone[i] = 0.5 * float32(math.Sin(2*math.Pi*440*float64(i)/rate))
	}
	var ear sound.Ear
	heard, err := ear.Samples(tone, rate)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(heard.Second), "samples,", heard.Picture.Width, "×", heard.Picture.Height, "pixels")
	// Output: 16000 samples, 80 × 80 pixels
}
