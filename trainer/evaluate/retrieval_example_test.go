package evaluate_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Of five places, the first and the third are of the query's class, which has two
// more pictures.
func ExampleMeasure() {
	m := evaluate.Measure([]bool{true, false, true, false, false}, 2, []int{1, 2})
	fmt.Println(m.Recall, m.RPrecision, m.MAPR)
	// Output: [1 1] 0.5 0.5
}
