package sound_test

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/sound"
)

// The spectrogram of a tone has its maximum in the same band at all times.
func ExampleAnalyzer() {
	const rate = 48000
	tone := make([]float32, rate)
	for i := range tone {
		tone[i] = 0.5 * float32(math.Sin(2*math.Pi*1000*float64(i)/rate))
	}
	fmt.Printf("%.1f dBFS\n", sound.Level(tone))

	clip, err := sound.FromSamples(tone, rate)
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := clip.Second()
	if err != nil {
		fmt.Println(err)
		return
	}
	spectrogram := sound.NewAnalyzer().Analyze(second)
	for _, frame := range []int{10, 40, 70} {
		loudest := 0
		for band, power := range spectrogram[frame] {
			if power > spectrogram[frame][loudest] {
				loudest = band
			}
		}
		fmt.Print(loudest, " ")
	}
	// Output:
	// -9.0 dBFS
	// 26 26 26
}
