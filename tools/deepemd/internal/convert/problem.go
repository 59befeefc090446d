package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/solver"
)

// problem is a balanced transport problem in a file.
type problem struct {
	Kind    string
	Cost    [][]float64 // rows × columns
	Supply  []float64
	Demand  []float64
	Optimum *float64 // the known optimum, or nil
}

// unsolved takes the place of a solution if a problem has none. The first fields of the two are the
// sign of a file of solutions, which problems do not begin with.
type unsolved struct {
	Error string `json:"error"`
	Kind  string `json:"kind,omitempty"`
}

type solution struct {
	Optimum    float64     `json:"optimum"`
	Kind       string      `json:"kind,omitempty"`
	Difference *float64    `json:"relativeDifference,omitempty"` // from the known optimum
	Flow       [][]float64 `json:"flow"`                         // rows × columns
	U          []float64   `json:"u"`                            // duals of the rows
	V          []float64   `json:"v"`                            // duals of the columns
	Pivots     int         `json:"pivots"`
}

// solve solves a problem exactly. It returns an error if the costs do not match the supplies and
// demands, and the errors of [solver.Simplex.Solve].
func (p *problem) solve(simplex *solver.Simplex) (solution, error) {
	rows, cols := len(p.Supply), len(p.Demand)
	if len(p.Cost) != rows {
		return solution{}, fmt.Errorf("%s of costs for %s: give one row a supply", plural.Count(len(p.Cost), "row", "rows"), plural.Count(rows, "supply", "supplies"))
	}
	for i, row := range p.Cost {
		if len(row) != cols {
			return solution{}, fmt.Errorf("row %d has %s for %s: give one cost a demand", i+1, plural.Count(len(row), "cost", "costs"), plural.Count(cols, "demand", "demands"))
		}
	}
	s, err := simplex.Solve(&solver.Problem{Rows: rows, Cols: cols, Cost: slices.Concat(p.Cost...), Supply: p.Supply, Demand: p.Demand})
	if err != nil {
		return solution{}, err
	}
	result := solution{
		Kind: p.Kind, Optimum: s.Objective, Pivots: s.Pivots, U: slices.Clone(s.U), V: slices.Clone(s.V),
		Flow: slices.Collect(slices.Chunk(slices.Clone(s.Flow), cols)),
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

// parseProblems reads {"transport": [problem, …]}, a list of problems, or one problem. It also returns
// the other names next to "transport", which it ignores.
func parseProblems(raw []byte) (problems []problem, ignored []string, err error) {
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
				return nil, nil, fmt.Errorf("transport is not a list of problems: %w: %s", err, forms)
			}
			delete(file, "transport")
			if ignored = slices.Sorted(maps.Keys(file)); slices.Contains(ignored, "cost") {
				return nil, nil, fmt.Errorf("both a problem and a list of problems: %s", forms)
			}
		case file["cost"] != nil:
			list = []json.RawMessage{raw}
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("no problems: %s", forms)
	}
	problems = make([]problem, len(list))
	for i, text := range list {
		if err := problems[i].parse(text); err != nil {
			return nil, nil, fmt.Errorf("problem %d: %w", i+1, err)
		}
	}
	return problems, ignored, nil
}

// parse reads one problem. Its numbers are pointers because package json reads null as 0.
func (p *problem) parse(text []byte) error {
	var read *struct {
		Kind           string
		Cost           [][]*float64
		Supply, Demand []*float64
		Optimum        *float64
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("%w: a problem has cost, supply, demand, and may have kind and optimum", err)
	}
	if read == nil {
		return errors.New("null instead of a problem: remove it")
	}
	p.Kind, p.Optimum = read.Kind, read.Optimum
	var err error
	if p.Supply, err = notNull("supply", read.Supply); err != nil {
		return err
	}
	if p.Demand, err = notNull("demand", read.Demand); err != nil {
		return err
	}
	p.Cost = make([][]float64, len(read.Cost))
	for i, row := range read.Cost {
		if p.Cost[i], err = notNull(fmt.Sprintf("row %d of cost", i+1), row); err != nil {
			return err
		}
	}
	return nil
}

func notNull(what string, list []*float64) ([]float64, error) {
	values := make([]float64, len(list))
	for i, v := range list {
		if v == nil {
			return nil, fmt.Errorf("%s: number %d is null: give a number", what, i+1)
		}
		values[i] = *v
	}
	return values, nil
}
