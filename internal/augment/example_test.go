package augment_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/augment"
)

// The same seed varies a picture in the same way.
func ExamplePolicy_Apply() {
	img := &imaging.Image{Width: 40, Height: 30, Pix: make([]byte, 40*30*3)}
	for i := range img.Pix {
		img.Pix[i] = byte(i * i)
	}
	policy := augment.Policy{MinArea: 0.5, Flip: true, Brightness: 0.2}
	one := policy.Apply(img, 32, rand.New(rand.NewPCG(1, 2)))
	two := policy.Apply(img, 32, rand.New(rand.NewPCG(1, 2)))
	fmt.Println(one.Width, one.Height, bytes.Equal(one.Pix, two.Pix))
	// Output: 32 32 true
}
