package resnet12photo_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network/resnet12photo"
)

// Teach two classes with one image each, and classify another image.
func Example() {
	l, err := learner.Open(resnet12photo.Weights())
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
