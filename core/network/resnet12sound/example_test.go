package resnet12sound_test

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network/resnet12sound"
	"github.com/deepemd/deepemd/core/sound"
)

// Teach two classes with one sound each, and classify another sound.
func Example() {
	l, err := learner.OpenWith(resnet12sound.Weights(), learner.Options{Hearing: sound.ForLearner()})
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
