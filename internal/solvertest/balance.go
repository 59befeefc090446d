package solvertest

import "github.com/deepemd/deepemd/solver"

// Balance scales the demands to the sum of the supplies.
func Balance(p *solver.Problem) {
	supply, demand := 0.0, 0.0
	for _, w := range p.Supply {
		supply += w
	}
	for _, w := range p.Demand {
		demand += w
	}
	for j := range p.Demand {
		p.Demand[j] *= supply / demand
	}
}
