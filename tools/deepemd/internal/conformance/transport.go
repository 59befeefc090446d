// Package transport reads files of transport problems and solves what they hold.
package conformance

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/solver"
)

// Problem is a balanced transport problem as files have it.
type Problem struct {
	Kind    string      `json:"kind"`
	Cost    [][]float64 `json:"cost"` // rows × columns
	Supply  []float64   `json:"supply"`
	Demand  []float64   `json:"demand"`
	Optimum *float64    `json:"optimum"` // if it is known, else nil
}

// Unsolved says why a problem has no solution. It stands in the solution's place.
type Unsolved struct {
	Kind  string `json:"kind,omitempty"`
	Error string `json:"error"`
}

// Solution is what is found of a problem.
type Solution struct {
	Kind       string      `json:"kind,omitempty"`
	Optimum    float64     `json:"optimum"`
	Difference *float64    `json:"relativeDifference,omitempty"` // from the known optimum
	Flow       [][]float64 `json:"flow"`                         // rows × columns
	U          []float64   `json:"u"`                            // duals of the rows
	V          []float64   `json:"v"`                            // and of the columns
	Pivots     int         `json:"pivots"`
}

// Solve solves a problem exactly and returns its optimum, flow and duals.
//
// # Errors
//
// Costs that are no matrix of as many rows as supplies and columns as demands; those of
// [solver.Simplex.Solve].
func (p *Problem) Solve(simplex *solver.Simplex) (Solution, error) {
	problem := solver.Problem{Rows: len(p.Supply), Cols: len(p.Demand), Supply: p.Supply, Demand: p.Demand}
	if len(p.Cost) != problem.Rows {
		return Solution{}, fmt.Errorf("%d rows of costs for %d supplies: give one row a supply", len(p.Cost), problem.Rows)
	}
	for i, row := range p.Cost {
		if len(row) != problem.Cols {
			return Solution{}, fmt.Errorf("row %d has %d costs for %d demands: give one cost a demand", i+1, len(row), problem.Cols)
		}
		problem.Cost = append(problem.Cost, row...)
	}
	s, err := simplex.Solve(&problem)
	if err != nil {
		return Solution{}, err
	}
	result := Solution{
		Kind: p.Kind, Optimum: s.Objective, Pivots: s.Pivots,
		U: append([]float64(nil), s.U...), V: append([]float64(nil), s.V...),
	}
	for i := range problem.Rows {
		result.Flow = append(result.Flow, append([]float64(nil), s.Flow[i*problem.Cols:][:problem.Cols]...))
	}
	if p.Optimum != nil {
		difference := math.Abs(s.Objective - *p.Optimum)
		if *p.Optimum != 0 {
			difference /= math.Abs(*p.Optimum)
		}
		difference = min(difference, math.MaxFloat64) // JSON has no infinity
		result.Difference = &difference
	}
	return result, nil
}
