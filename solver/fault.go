package solver

import "strconv"

// fault is an error: what is wrong and where, its kind, and the remedy. It is put together
// without package fmt, which would be a third of a program that does nothing but solve, as
// the one for browsers (wasm/solver).
type fault struct {
	what   string
	kind   error  // one of the package's; nil for none
	remedy string // "" where there is none to give
}

// Error says what is wrong, of which kind it is, and the remedy.
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

// noWeight says that a problem has nothing to transport.
func noWeight() error {
	return &fault{"all weights are zero", ErrEmpty, "give at least one supply and one demand above zero"}
}

// unbalanced says that the sums of the two sides differ.
func unbalanced(supply, demand float64) error {
	return &fault{"supplies sum to " + number(supply) + ", demands to " + number(demand), ErrUnbalanced, "scale one side to the sum of the other"}
}

// overflow says that what comes of a problem is beyond the largest number.
func overflow() error {
	return &fault{"the costs or the weights are so large that their sums are no numbers", ErrOverflow, "divide them by what they have in common"}
}

// notPositive says that a setting has to be above zero.
func notPositive(setting string, value float64) error {
	return &fault{setting + " " + number(value), nil, "want a positive one"}
}

// number writes a number with no more digits than tell it from others.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// roughly writes a number with two digits.
func roughly(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }
