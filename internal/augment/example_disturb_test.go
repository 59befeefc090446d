package augment_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/augment"
)

// Strength 0 changes nothing.
func ExampleDisturbance_Apply() {
	blur, err := augment.ParseDisturbance("blur")
	if err != nil {
		fmt.Println(err)
		return
	}
	img := &imaging.Image{Width: 32, Height: 32, Pix: make([]byte, 32*32*3)}
	for i := range img.Pix {
		img.Pix[i] = byte(i * i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	fmt.Println(bytes.Equal(blur.Apply(img, 0, r).Pix, img.Pix), bytes.Equal(blur.Apply(img, 1, r).Pix, img.Pix))
	// Output: true false
}
