package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/trainer/data"
)

// shots are the numbers of examples of an episode's classes: one for all, or several
// that the classes have in turn. A flag spells them with colons, 1:20.
type shots []int

// String implements pflag.Value.
func (s shots) String() string {
	var parts []string
	for _, n := range s {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ":")
}

// Set implements pflag.Value.
func (s *shots) Set(text string) error {
	var numbers shots
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return fmt.Errorf("%q: want a number above zero, or several with colons, such as 1:20", text)
		}
		numbers = append(numbers, n)
	}
	*s = numbers
	return nil
}

// Type implements pflag.Value.
func (s shots) Type() string { return "numbers" }

// most is the highest number.
func (s shots) most() int { return slices.Max(s) }

// several are the numbers where there is more than one.
func (s shots) several() []int {
	if len(s) > 1 {
		return s
	}
	return nil
}

// keep leaves the classes of an episode, which have most examples each, as many as
// they are to have. Which class is first in turn changes from episode to episode, so
// that on average as many classes have each number.
func (s shots) keep(e data.Episode, number, way int) data.Episode {
	if len(s) == 1 {
		return e
	}
	counts := make([]int, way)
	for c := range counts {
		counts[c] = s[(number+c)%len(s)]
	}
	return e.Keep(counts)
}
