package solvertest_test

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

// A problem such as DeepEMD meets: 25 nodes on either side, whose weights sum to 25.
func ExampleCosine() {
	p := solvertest.Cosine(25, 1)
	var simplex solver.Simplex
	best, err := simplex.Solve(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	moved := 0.0
	for _, x := range best.Flow {
		moved += x
	}
	fmt.Printf("%d×%d, %.0f moved\n", p.Rows, p.Cols, moved)
	// Output: 25×25, 25 moved
}
