package quality_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/quality"
)

// A picture of a dark room is no good example, and another one of it adds nothing.
func ExampleMeasure() {
	room := make([]byte, 3*100*100)
	for i := range room {
		room[i] = byte(i % 7)
	}
	measures := quality.Measure(&imaging.Image{Width: 100, Height: 100, Pix: room})
	fmt.Println(measures.Problem() == quality.Dark)
	fmt.Println(measures.Alike(measures) > quality.TooAlike)
	// Output:
	// true
	// true
}
