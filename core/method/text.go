package method

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the method as one line in the format of Parse. It contains every setting,
// except embedder settings that are zero, and the strictness if strangers are off.
//
//	embedder=fcn pyramid=2,1 classifier=mixture weighting=cross-reference
//	solver=simplex temperature=12.5 balance=on strangers=0.42
func (m Method) String() string {
	balance, strangers := off, off
	if m.Balance {
		balance = on
	}
	if m.Strangers.Name {
		strangers = number(m.Strangers.Strictness)
	}
	return fmt.Sprintf("%v classifier=%s weighting=%s solver=%s temperature=%s balance=%s strangers=%s",
		m.Embedder, m.Classifier, m.Weighting, m.Solver, number(m.Temperature), balance, strangers)
}

// String returns the embedder's part of Method.String.
func (e Embedder) String() string {
	text := "embedder=" + e.Kind
	if len(e.Pyramid) > 0 {
		text += " pyramid=" + numbers(e.Pyramid)
	}
	if len(e.Grid) > 0 {
		text += " grid=" + numbers(e.Grid)
	}
	if e.Ratio != 0 {
		text += " ratio=" + number(e.Ratio)
	}
	if e.Patches != 0 {
		text += " patches=" + strconv.Itoa(e.Patches)
	}
	if e.Seed != 0 {
		text += " seed=" + strconv.FormatUint(e.Seed, 10)
	}
	return text
}

const (
	on  = "on"
	off = "off"
)

// Parse reads settings in the format of String, in any order. Absent settings have their
// defaults. A new embedder resets all embedder settings. "strangers" accepts "on", "off" or
// a strictness from 0 to 1.
//
// It returns an error for an unknown name and a malformed value, and the errors of Validate.
func Parse(text string) (Method, error) { return Default().With(text) }

// With returns a copy of the method with the settings in text; see Parse.
func (m Method) With(text string) (Method, error) {
	for _, first := range []bool{true, false} { // a new embedder resets its settings, and comes first
		for _, field := range strings.Fields(text) {
			name, value, given := strings.Cut(field, "=")
			if (name == "embedder") != first {
				continue
			}
			if !given {
				return Method{}, fmt.Errorf("method: %q: want name=value, such as classifier=%s", field, Prototype)
			}
			if err := m.Set(name, value); err != nil {
				return Method{}, err
			}
		}
	}
	m.Embedder = m.Embedder.Complete()
	return m, m.Validate()
}

// Set changes one setting, named as in Parse. It does not validate the method.
//
// It returns an error for an unknown name and for a malformed value.
func (m *Method) Set(name, value string) (err error) {
	switch name {
	case "embedder":
		if value != m.Embedder.Kind {
			m.Embedder = Embedder{Kind: value}
		}
	case "pyramid":
		m.Embedder.Pyramid, err = parseNumbers(value)
	case "grid":
		m.Embedder.Grid, err = parseNumbers(value)
	case "ratio":
		m.Embedder.Ratio, err = strconv.ParseFloat(value, 64)
	case "patches":
		m.Embedder.Patches, err = strconv.Atoi(value)
	case "seed":
		m.Embedder.Seed, err = strconv.ParseUint(value, 10, 64)
	case "classifier":
		m.Classifier = value
	case "weighting":
		m.Weighting = value
	case "solver":
		m.Solver = value
	case "temperature":
		m.Temperature, err = strconv.ParseFloat(value, 64)
	case "balance":
		if value != on && value != off {
			return fmt.Errorf("method: balance=%s: want %s or %s", value, on, off)
		}
		m.Balance = value == on
	case "strangers":
		m.Strangers.Name = value != off
		if value != on && value != off {
			if m.Strangers.Strictness, err = strconv.ParseFloat(value, 64); err != nil {
				return fmt.Errorf("method: strangers=%s: want %s, %s or a number from 0 to 1", value, on, off)
			}
		}
	default:
		return fmt.Errorf("method: no setting %q: want embedder, pyramid, grid, ratio, patches, seed, classifier, weighting, solver, temperature, balance or strangers", name)
	}
	if err != nil {
		return fmt.Errorf("method: %s=%s: want a number", name, value)
	}
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func numbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

func parseNumbers(text string) ([]int, error) {
	var list []int
	for _, t := range strings.Split(text, ",") {
		n, err := strconv.Atoi(t)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}
