package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

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
