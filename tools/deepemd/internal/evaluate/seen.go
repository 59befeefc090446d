package evaluate

import (
	"fmt"
	"io"
	"slices"

	"github.com/deepemd/deepemd/core/weights"
)

// noteSeen tells on stderr when a network is measured with classes that it learned
// from: what it does with those says little of new ones.
func noteSeen(stderr io.Writer, m weights.Meta, classes []string) {
	seen := 0
	for _, c := range classes {
		if slices.Contains(m.Classes, c) {
			seen++
		}
	}
	if seen > 0 {
		fmt.Fprintf(stderr, "note: %s learned from classes of the same names as %d of these %d: figures will flatter it; measure new classes, or give --weights that have not seen these\n",
			m.Name, seen, len(classes))
	}
}
