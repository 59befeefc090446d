package network_test

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/sound"
)

// Teach two classes with one image each, and classify another image.
func ExampleResNet12PhotoWeights() {
	l, err := learner.Open(network.ResNet12PhotoWeights())
	if err != nil {
		fmt.Println(err)
		return
	}
	info := l.Info()
	fmt.Println(info.Name, info.InputSize, info.Nodes, info.Channels)

	for label, width := range map[string]int{"narrow": 5, "wide": 20} {
		if err := l.Add(label, stripes(width)); err != nil {
			fmt.Println(err)
			return
		}
	}
	answer, err := l.Model().Classify(stripes(22))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Label())
	// Output:
	// resnet12-photo 112 36 320
	// wide
}

// stripes returns an image of vertical stripes.
func stripes(width int) learner.Picture {
	const side = 120
	p := learner.Picture{Width: side, Height: side}
	for i := range side * side {
		gray := byte(255 * (i % side / width % 2))
		p.Data = append(p.Data, gray, gray, gray)
	}
	return p
}

// Teach two classes with one sound each, and classify another sound.
func ExampleResNet12SoundWeights() {
	l, err := learner.OpenWith(network.ResNet12SoundWeights(), learner.Options{Hearing: sound.ForLearner()})
	if err != nil {
		fmt.Println(err)
		return
	}
	info := l.Info()
	fmt.Println(info.Name, info.InputSize, info.Nodes, info.Channels)

	for label, pitch := range map[string]float64{"low": 200, "high": 2000} {
		if err := l.Add(label, tone(pitch)); err != nil {
			fmt.Println(err)
			return
		}
	}
	answer, err := l.Model().Classify(tone(220))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Label())
	// Output:
	// resnet12-sound 80 25 128
	// low
}

// tone returns a second of a tone in hertz.
func tone(pitch float64) learner.Picture {
	p := learner.Picture{Rate: 16000, Samples: make([]float32, 16000)}
	for i := range p.Samples {
		p.Samples[i] = float32(math.Sin(2*math.Pi*pitch*float64(i)/16000) / 2)
	}
	return p
}
