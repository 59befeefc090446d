package transport_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/deepemd/deepemd/solver"
	"github.com/deepemd/deepemd/trainer/format/transport"
)

func Example() {
	problems, err := transport.Parse([]byte(`{"cost": [[1, 4, 6], [3, 2, 1]], "supply": [5, 7], "demand": [4, 3, 5]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var simplex solver.Simplex
	solution, err := problems[0].Solve(&simplex)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(solution.Optimum, solution.Flow)
	// Output: 17 [[4 1 0] [0 2 5]]
}

// The difference to a known optimum is relative, and absolute where that is zero.
func TestDifference(t *testing.T) {
	var simplex solver.Simplex
	for known, want := range map[float64]float64{17: 0, 20: 0.15, 0: 17} {
		p := transport.Problem{Cost: [][]float64{{1, 4, 6}, {3, 2, 1}}, Supply: []float64{5, 7}, Demand: []float64{4, 3, 5}, Optimum: &known}
		s, err := p.Solve(&simplex)
		if err != nil || s.Difference == nil || math.Abs(*s.Difference-want) > 1e-12 {
			t.Errorf("to %g: %+v, error %v, want %g", known, s, err, want)
		}
	}
}
