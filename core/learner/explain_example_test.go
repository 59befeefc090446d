package learner_test

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log"
	"slices"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
)

// Draw why a picture is a cat: every region of the picture is as bright as its share of the score.
func ExampleModel_Explain() {
	l, err := learner.Open(network.ResNet12PhotoWeights())
	if err != nil {
		log.Fatal(err)
	}
	for _, label := range []string{"apple", "cat"} {
		if err := l.Add(label, picture("../../web/static/web/demo/"+label+"-1.jpg")); err != nil {
			log.Fatal(err)
		}
	}
	model := l.Model()
	answer, err := model.Classify(picture("../../web/static/web/demo/cat-4.jpg"))
	if err != nil {
		log.Fatal(err)
	}
	why, err := model.Explain(answer, "") // of the best class
	if err != nil {
		log.Fatal(err)
	}

	seen, evidence := answer.Seen, why.Evidence()
	most := slices.Max(evidence)
	heat := image.NewRGBA(image.Rect(0, 0, seen.Width, seen.Height))
	for y := range seen.Height {
		for x := range seen.Width {
			light := 0.0
			for i, region := range why.From { // in fractions of the picture
				u, v := float32(x)/float32(seen.Width), float32(y)/float32(seen.Height)
				if u >= region.X0 && u < region.X1 && v >= region.Y0 && v < region.Y1 {
					light = max(light, evidence[i]/most)
				}
			}
			pixel := seen.Pix[3*(y*seen.Width+x):]
			dim := func(v byte) byte { return byte(float64(v) * (0.2 + 0.8*light)) }
			heat.Set(x, y, color.RGBA{R: dim(pixel[0]), G: dim(pixel[1]), B: dim(pixel[2]), A: 255})
		}
	}
	if err := png.Encode(io.Discard, heat); err != nil { // a file, in a program
		log.Fatal(err)
	}
	fmt.Println(why.Label, why.ExampleID, heat.Bounds().Size())
	fmt.Println(len(why.From), "and", len(why.To), "regions")
	// Output:
	// cat example-2 (112,112)
	// 36 and 36 regions
}
