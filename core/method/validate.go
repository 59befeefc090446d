package method

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Limits of sensible settings.
const (
	// MaxLevel is the maximum side of a pyramid's map and of a grid, in cells. The largest
	// maps in use have 5×5 positions. A larger level only repeats nodes, at quadratic cost.
	MaxLevel = 32
	// MaxCrops is the maximum number of crops per image. Each crop is a pass through the
	// network.
	MaxCrops = 1024
	// MaxRatio is the maximum ratio of a crop's side to its cell's. At twice the number of
	// cells across, every crop is the whole image.
	MaxRatio = 2 * MaxLevel

	maxTemperature = 1000 // above it, every probability is 0 or 1
	maxClusters    = 4096
)

// Validate returns an error that names the first unknown or invalid setting and the valid
// values. A valid method is complete.
func (m Method) Validate() error {
	if err := m.Embedder.Validate(); err != nil {
		return err
	}
	classifier, _, err := ParseSetting("classifier", classifiers, m.Classifier)
	if err != nil {
		return err
	}
	weighting, _, err := ParseSetting("node weights", weightings, m.Weighting)
	if err != nil {
		return err
	}
	if classifier == SFC && (weighting == KMeans || weighting == MeanShift) {
		return fmt.Errorf("classifier %s trains nodes, and node weights %s merge them: replace one of the two", SFC, m.Weighting)
	}
	if _, _, err := ParseSetting("solver", solvers, m.Solver); err != nil {
		return err
	}
	if !(m.Temperature > 0 && m.Temperature <= maxTemperature) {
		return fmt.Errorf("temperature %g: want it above 0, up to %d; %g is usual", m.Temperature, maxTemperature, Temperature)
	}
	if s := m.Strangers.Strictness; !(s >= 0 && s <= 1) {
		return fmt.Errorf("strictness %g: want a number from 0 to 1", s)
	}
	return nil
}

// Validate returns an error for an unknown kind, a setting that belongs to another
// kind, and a value out of range.
func (e Embedder) Validate() error {
	if !slices.ContainsFunc(embedders, func(n Name) bool { return n.Name == e.Kind }) {
		return fmt.Errorf("no embedder %q: want %s", e.Kind, list(embedders))
	}
	for _, s := range []struct {
		name, of string
		given    bool
	}{
		{"a pyramid", FCN, len(e.Pyramid) > 0},
		{"a grid", Grid, len(e.Grid) > 0},
		{"a ratio", Grid, e.Ratio != 0},
		{"a number of patches", Sampling, e.Patches != 0},
		{"a seed of patches", Sampling, e.Seed != 0},
	} {
		if s.given && s.of != e.Kind {
			return fmt.Errorf("%s goes with the embedder %s, not with %s: leave it out", s.name, s.of, e.Kind)
		}
	}
	switch e.Kind {
	case FCN:
		for _, n := range e.Pyramid {
			if n < 1 || n > MaxLevel {
				return fmt.Errorf("pyramid level %d: want 1 to %d", n, MaxLevel)
			}
		}
	case Grid:
		return e.validateGrid()
	case Sampling:
		if e.Patches < 1 || e.Patches > MaxCrops {
			return fmt.Errorf("%d patches of a picture, each a pass through the network: want 1 to %d", e.Patches, MaxCrops)
		}
	}
	return nil
}

func (e Embedder) validateGrid() error {
	cells := 0
	for _, n := range e.Grid {
		if n < 1 || n > MaxLevel {
			return fmt.Errorf("grid of %d×%d cells: want 1 to %d across", n, n, MaxLevel)
		}
		cells += n * n
	}
	switch {
	case cells == 0:
		return fmt.Errorf("no grid: name the cells across, such as 2 and 3")
	case cells > MaxCrops:
		return fmt.Errorf("grids %v have %d cells, each a pass through the network: want %d at most", e.Grid, cells, MaxCrops)
	case !(e.Ratio > 0 && e.Ratio <= MaxRatio):
		return fmt.Errorf("ratio %g of crop to cell: want it above 0 and at most %d, such as 2", e.Ratio, MaxRatio)
	}
	return nil
}

// ParseSetting splits text such as "sinkhorn:0.02" into a name in names and the number after
// the colon, 0 without a colon. Errors call the list what.
//
// It returns an error for an unknown name, and for a missing, superfluous or malformed
// number. The error lists the valid names or shows a valid number.
func ParseSetting(what string, names []Name, text string) (name string, value float64, err error) {
	name, number, given := strings.Cut(text, ":")
	at := slices.IndexFunc(names, func(n Name) bool { return n.Name == name })
	if at < 0 {
		return "", 0, fmt.Errorf("no %s %q: want %s", what, name, list(names))
	}
	s := names[at].setting
	switch {
	case !given && !s.required:
		return name, 0, nil
	case s.what == "":
		return "", 0, fmt.Errorf("%s %q: %s takes no parameter: remove the colon", what, text, name)
	}
	value, err = strconv.ParseFloat(number, 64)
	// An infinite bandwidth gives one cluster. An infinite strength is not a valid problem.
	if err != nil || !(value > 0) || (math.IsInf(value, 0) && name != MeanShift) || (s.whole && (value != math.Trunc(value) || value > maxClusters)) {
		return "", 0, fmt.Errorf("%s %q: want %s after the colon, such as %s:%s", what, text, s.what, name, s.example)
	}
	return name, value, nil
}

// list returns the names for an error message, with examples of their settings.
func list(names []Name) string {
	var texts []string
	for _, n := range names {
		text := n.Name
		switch s := n.setting; {
		case s.required:
			text += ":" + s.example
		case s.what != "":
			text += " (or " + n.Name + ":" + s.example + ")"
		}
		texts = append(texts, text)
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
