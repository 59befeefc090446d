package session

import (
	"slices"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
)

// Mode is a method that has a name on the page.
type Mode string

// The modes, and Custom for every other method.
const (
	Fast     Mode = "fast"     // one pass through the network
	Balanced Mode = "balanced" // the same pass, looked at from further away too
	Custom   Mode = "custom"
)

// Modes lists the modes, the fastest first.
var Modes = []Mode{Fast, Balanced}

// Offered lists the modes that are measured to be better than those before them in
// projects of a kind (RESULTS.md, "More views and nodes of a picture"): sounds gain
// nothing from a second look. With them comes Custom, where a method is none of these.
func Offered(kind string, m method.Method) (modes []Mode, chosen Mode) {
	modes, chosen = Modes, ModeOf(m)
	if kind == project.KindSound {
		modes = Modes[:1]
	}
	if !slices.Contains(modes, chosen) {
		modes, chosen = append(slices.Clone(modes), Custom), Custom
	}
	return modes, chosen
}

// Method returns what a mode stands for: the default, but for its embedder.
func (m Mode) Method() method.Method {
	recognise := method.Default()
	if m == Balanced {
		recognise.Embedder.Pyramid = []int{2, 1}
	}
	return recognise
}

// ModeOf returns the mode that a method is, whatever it says of strangers.
func ModeOf(m method.Method) Mode {
	for _, mode := range Modes {
		if sameAnswers(m, mode.Method()) {
			return mode
		}
	}
	return Custom
}

// sameAnswers reports whether two methods give the same scores: all but what they say of
// strangers is the same.
func sameAnswers(a, b method.Method) bool {
	a, b = a.Complete(), b.Complete()
	a.Strangers = b.Strangers
	return a.Equal(b)
}
