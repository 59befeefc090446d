package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

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

const forms = `want {"transport": [problem, …]}, a list of problems, or one problem with cost, supply and demand`

// Parse reads a file of problems, in any of three forms: {"transport": [problem, …]}, a
// list of problems, or one. Beside "transport" a file may hold other things, whose names
// it returns.
//
// # Errors
//
// A file of another form, and one without a problem. A problem with a key that problems
// do not have, or with null where a number belongs; its place is named.
func Parse(raw []byte) (problems []Problem, beside []string, err error) {
	var list []json.RawMessage
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, nil, fmt.Errorf("not a list of problems: %w: %s", err, forms)
		}
	} else {
		var file map[string]json.RawMessage
		if err := json.Unmarshal(raw, &file); err != nil {
			return nil, nil, fmt.Errorf("not a file of problems: %w: %s", err, forms)
		}
		several, ok := file["transport"]
		switch {
		case ok:
			if err := json.Unmarshal(several, &list); err != nil {
				return nil, nil, fmt.Errorf("transport is no list of problems: %w: %s", err, forms)
			}
			delete(file, "transport")
			if beside = slices.Sorted(maps.Keys(file)); slices.Contains(beside, "cost") {
				return nil, nil, fmt.Errorf("both a problem and a list of problems: %s", forms)
			}
		case file["cost"] != nil:
			list = []json.RawMessage{raw}
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("no problems: %s", forms)
	}
	problems = make([]Problem, len(list))
	for i, text := range list {
		if err := problems[i].parse(text); err != nil {
			return nil, nil, fmt.Errorf("problem %d: %w", i+1, err)
		}
	}
	return problems, beside, nil
}

// parse reads one problem. Package json takes null for any value there is, so that
// numbers are pointers here.
func (p *Problem) parse(text []byte) error {
	var read *struct {
		Kind    string       `json:"kind"`
		Cost    [][]*float64 `json:"cost"`
		Supply  []*float64   `json:"supply"`
		Demand  []*float64   `json:"demand"`
		Optimum *float64     `json:"optimum"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("%w: a problem has cost, supply, demand, and may have kind and optimum", err)
	}
	if read == nil {
		return errors.New("null in the place of a problem: leave it out")
	}
	p.Kind, p.Optimum = read.Kind, read.Optimum
	var err error
	if p.Supply, err = numbers("supply", read.Supply); err != nil {
		return err
	}
	if p.Demand, err = numbers("demand", read.Demand); err != nil {
		return err
	}
	p.Cost = make([][]float64, len(read.Cost))
	for i, row := range read.Cost {
		if p.Cost[i], err = numbers(fmt.Sprintf("row %d of cost", i+1), row); err != nil {
			return err
		}
	}
	return nil
}

// numbers are what the pointers lead to, of which none may be nil.
func numbers(what string, list []*float64) ([]float64, error) {
	values := make([]float64, len(list))
	for i, v := range list {
		if v == nil {
			return nil, fmt.Errorf("%s: number %d is null: give a number", what, i+1)
		}
		values[i] = *v
	}
	return values, nil
}
