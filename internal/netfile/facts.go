package netfile

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
)

// ReferenceInput is the reference implementation's input size, in pixels, which its
// files do not state.
const ReferenceInput = 84

// ImageNet's mean and standard deviation of red, green and blue, which the reference
// implementation shares with most of the field.
var (
	ImageNetMean = [3]float32{0.485, 0.456, 0.406}
	ImageNetStd  = [3]float32{0.229, 0.224, 0.225}
)

// Facts are what a person states of a network. What is empty is taken from the file,
// else from Otherwise, else assumed.
type Facts struct {
	Name      string
	InputSize int         // side in pixels of the square input
	Grid      int         // nodes across that the last map is pooled to; 0 for what the file says
	Stage     int         // whose map is the last, see namedNetwork.cut; 0 for the file's last
	Mean, Std *[3]float32 // of red, green, blue in 0…1
	TrainedOn string
	// Otherwise has the normalisation, if any, that stands in for what the file does
	// not state, such as that of the pictures it is compared on.
	Otherwise weights.Meta
}

// complete completes what a file says of itself, and returns the keys of the facts
// that it had to assume, an input of the usual size among them. Of these the metadata keep
// the mark, for mean and std.
func (f Facts) complete(m *weights.Meta, out string, usual int) (guessed []string) {
	if m.Arch == "" {
		m.Arch = backbone.ArchResNet12
	}
	if f.Name != "" {
		m.Name = f.Name
	} else if m.Name == "" {
		m.Name = strings.TrimSuffix(filepath.Base(out), ".safetensors")
	}
	if f.InputSize != 0 {
		m.InputSize = f.InputSize
	} else if m.InputSize == 0 {
		m.InputSize = usual
		guessed = append(guessed, "input_size")
	}
	if f.Grid != 0 {
		extra := map[string]string{}
		maps.Copy(extra, m.Extra)
		extra[backbone.KeyGrid] = strconv.Itoa(f.Grid)
		m.Extra = extra
	}
	if f.TrainedOn != "" {
		m.TrainedOn = f.TrainedOn
	}
	if m.Std == ([3]float32{}) { // the file has no normalisation
		m.Mean, m.Std = ImageNetMean, ImageNetStd
		m.Assumed = []string{weights.AssumedMean, weights.AssumedStd}
	}
	for _, fact := range []struct {
		key              string
		given, otherwise *[3]float32
		value            *[3]float32
	}{
		{weights.AssumedMean, f.Mean, &f.Otherwise.Mean, &m.Mean}, {weights.AssumedStd, f.Std, &f.Otherwise.Std, &m.Std},
	} {
		assumed := slices.Contains(m.Assumed, fact.key)
		switch {
		case fact.given != nil:
			*fact.value = *fact.given
		case assumed && f.Otherwise.Std != ([3]float32{}):
			*fact.value = *fact.otherwise
		case assumed:
			guessed = append(guessed, fact.key)
			continue
		}
		m.Assumed = without(m.Assumed, fact.key)
	}
	return guessed
}

// without is a list without one of its texts; nil where none are left. The list
// itself stays.
func without(list []string, text string) []string {
	left := slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == text })
	if len(left) == 0 {
		return nil
	}
	return left
}

// Note says in a line which facts of a network nothing states, and what to do about
// it; "" where all are stated.
func Note(m weights.Meta) string {
	if len(m.Assumed) == 0 {
		return ""
	}
	flags := make([]string, len(m.Assumed))
	for i, fact := range m.Assumed {
		flags[i] = "--" + fact
	}
	verb := "are"
	if len(flags) == 1 {
		verb = "is"
	}
	return fmt.Sprintf("note: ImageNet's %s %s assumed for %s, as nothing says what it was trained with: give %s, here or to `deepemd import`",
		strings.Join(m.Assumed, " and "), verb, m.Name, strings.Join(flags, " and "))
}
