package solver

import "strconv"

// fault is an error with its place, kind and remedy. It avoids package fmt, which would be a third
// of a program that only solves (wasm/solver).
type fault struct {
	what   string
	kind   error  // an error variable of this package, or nil
	remedy string // optional
}

// Error implements error.
func (f *fault) Error() string {
	text := "solver: " + f.what
	if f.kind != nil {
		text += ": " + f.kind.Error()
	}
	if f.remedy != "" {
		text += "; " + f.remedy
	}
	return text
}

// Unwrap returns the kind of the error.
func (f *fault) Unwrap() error { return f.kind }

func noWeight() error {
	return &fault{"all weights are zero", ErrEmpty, "give at least one supply and one demand above zero"}
}

func unbalanced(supply, demand float64) error {
	return &fault{"supplies sum to " + number(supply) + ", demands to " + number(demand), ErrUnbalanced, "scale one side to the sum of the other"}
}

func overflow() error {
	return &fault{"the costs or weights are so large that their sums overflow", ErrOverflow, "scale them down"}
}

// notPositive rejects a setting that must be above zero.
func notPositive(setting string, value float64) error {
	return &fault{setting + " " + number(value), nil, "want a positive one"}
}

// number formats x with the fewest digits that identify it.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// roughly formats x with two digits.
func roughly(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }
