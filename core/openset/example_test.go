package openset_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/openset"
)

// Calibrate a classifier with its examples, then test an image of a class and an unknown
// image.
func ExampleCalibrate() {
	picture := func(nodes ...float32) *embed.Set { return &embed.Set{N: 2, C: 4, Data: nodes} }
	classes := []fewshot.Class{
		{Name: "mug", Support: []*embed.Set{picture(4, 1, 0, 0, 3, 2, 0, 0), picture(4, 2, 0, 0, 3, 1, 0, 0)}},
		{Name: "plant", Support: []*embed.Set{picture(0, 1, 4, 0, 0, 2, 3, 0), picture(0, 2, 4, 0, 0, 1, 3, 0)}},
	}

	var classifier fewshot.Prototype
	left, err := openset.LeaveOneOut(&classifier, classes, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	calibration := openset.Calibrate(left, openset.HeldOut)
	if err := classifier.Fit(classes); err != nil {
		fmt.Println(err)
		return
	}
	for _, query := range []*embed.Set{picture(3, 1, 0, 0, 4, 2, 0, 0), picture(0, 0, 0, 4, 0, 1, 0, 3)} {
		scores, err := classifier.Scores(nil, query)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("known:", calibration.Score(scores) >= calibration.Threshold(0.5))
	}
	// Output:
	// known: true
	// known: false
}
