package match

import (
	"slices"

	"github.com/deepemd/deepemd/solver"
)

// Dense connects every node with every other in proportion to their weights, x_ij =
// s_i·d_j/Σs, without any transport (the dense connections of DeepEMD, Table 2).
// With Equal weights the score is the mean of all similarities.
//
// The zero value is ready for use.
type Dense struct{ flow []float64 }

// Forward implements Solver. It never fails.
func (d *Dense) Forward(p *solver.Problem) ([]float64, error) {
	var total float64
	for _, s := range p.Supply {
		total += s
	}
	d.flow = slices.Grow(d.flow[:0], p.Rows*p.Cols)[:p.Rows*p.Cols]
	for i, s := range p.Supply {
		share := s / total
		for j, w := range p.Demand {
			d.flow[i*p.Cols+j] = share * w
		}
	}
	return d.flow, nil
}
