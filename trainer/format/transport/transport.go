// Package transport reads files of transport problems and solves what they hold.
package transport

import (
	"bytes"
	"encoding/json"
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

// Parse reads a file of problems, in any of three forms: {"transport": [problem, …]}, a
// list of problems, or one.
//
// It returns an error for a file of another form, and one without a problem.
func Parse(raw []byte) ([]Problem, error) {
	const forms = `want {"transport": [problem, …]}, a list of problems, or one problem with cost, supply and demand`
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		var list []Problem
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("not a list of problems: %w: %s", err, forms)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("no problems: %s", forms)
		}
		return list, nil
	}
	var file struct {
		Transport []Problem `json:"transport"`
		Problem
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("not a file of problems: %w: %s", err, forms)
	}
	switch {
	case len(file.Transport) > 0:
		return file.Transport, nil
	case file.Cost != nil:
		return []Problem{file.Problem}, nil
	}
	return nil, fmt.Errorf("no problems: %s", forms)
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
		result.Difference = &difference
	}
	return result, nil
}
