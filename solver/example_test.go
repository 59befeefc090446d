package solver_test

import (
	"fmt"

	"github.com/deepemd/deepemd/solver"
)

// Two heaps of sand, three holes: the cheapest transport, and the duals that prove it optimal.
func Example() {
	p := &solver.Problem{
		Rows: 2, Cols: 3,
		Cost:   []float64{1, 4, 6, 3, 2, 1},
		Supply: []float64{5, 7},
		Demand: []float64{4, 3, 5},
	}
	var simplex solver.Simplex
	best, err := simplex.Solve(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(best.Objective, best.Flow)

	worth := 0.0
	for i, supply := range p.Supply {
		worth += best.U[i] * supply
	}
	for j, demand := range p.Demand {
		worth += best.V[j] * demand
	}
	fmt.Printf("%.6f\n", worth)
	// Output:
	// 17 [4 1 0 0 2 5]
	// 17.000000
}

// The flow of the interior point method has a derivative with respect to the costs.
func ExampleInterior() {
	p := &solver.Problem{
		Rows: 2, Cols: 2,
		Cost:   []float64{0.1, 0.2, 0.3, 0.2},
		Supply: []float64{1, 1},
		Demand: []float64{1, 1},
	}
	layer := solver.Interior{Epsilon: 1} // strongly convex, for a smooth flow
	flow, err := layer.Forward(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("flow %.2f\n", flow)

	// The loss is the flow from the first row to the first column.
	g := solver.Gradient{Cost: make([]float64, 4), Supply: make([]float64, 2), Demand: make([]float64, 2)}
	if err := layer.Backward(&g, []float64{1, 0, 0, 0}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("gradient by the costs %.2f\n", g.Cost)
	// Output:
	// flow [0.55 0.45 0.45 0.55]
	// gradient by the costs [-0.25 0.25 0.25 -0.25]
}

// More entropy spreads the flow over more pairs.
func ExampleSinkhorn() {
	p := &solver.Problem{
		Rows: 2, Cols: 2,
		Cost:   []float64{0, 1, 1, 0},
		Supply: []float64{1, 1},
		Demand: []float64{1, 1},
	}
	for _, strength := range []float64{0.1, 1, 10} {
		layer := solver.Sinkhorn{Strength: strength}
		flow, err := layer.Forward(p)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.3f\n", flow)
	}
	// Output:
	// [1.000 0.000 0.000 1.000]
	// [0.731 0.269 0.269 0.731]
	// [0.525 0.475 0.475 0.525]
}
