package backbone_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// One cycle rises to the full rate and falls to nearly nothing.
func ExampleParseSchedule() {
	schedule, err := backbone.ParseSchedule("one-cycle")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []int{0, 30, 99} {
		fmt.Printf("%.2f\n", schedule.Share(step, 100))
	}
	// Output:
	// 0.04
	// 0.99
	// 0.00
}

// A step goes against the gradient, and the next one remembers it.
func ExampleSGD_Step() {
	p := &backbone.Param{Name: "weight", Value: []float32{1}, Grad: []float32{0.5}}
	sgd := backbone.NewSGD([]*backbone.Param{p}, 0.9, 0, false, 1)
	for range 2 {
		sgd.Step(0.1, 1)
		fmt.Printf("%.3f\n", p.Value[0])
	}
	// Output:
	// 0.950
	// 0.855
}
