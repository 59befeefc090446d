package web

import (
	"bytes"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/feature/guide"
)

const demoFolder = "static/web/demo"

// demo returns the file names of pictures of the studio's demo, from the first to the last of each thing.
func demo(first, last int) (names []string) {
	for _, thing := range guide.Things {
		for n := first; n <= last; n++ {
			names = append(names, guide.Picture(thing, n))
		}
	}
	return names
}

func demoPicture(t *testing.T, name string) []byte {
	t.Helper()
	data := require.Value(os.ReadFile(filepath.Join(demoFolder, name)))(t)
	return data
}

// The default model and settings recognize the demo's unseen images.
func TestDemoIsRecognized(t *testing.T) {
	l := require.Value(learner.OpenWith(network.ResNet12PhotoWeights(), learner.Options{Kit: learner.CommonParts()}))(t)
	thing := func(name string) string { return name[:strings.IndexByte(name, '-')] }
	for _, name := range demo(1, guide.Examples) {
		require.NoError(t, l.Add(thing(name), learner.Picture{Data: demoPicture(t, name)}))
	}
	right, all := 0, 0
	for _, name := range demo(guide.Examples+1, guide.Pictures) {
		answer := require.Value(l.Model().Classify(learner.Picture{Data: demoPicture(t, name)}))(t)
		all++
		if answer.Label() == thing(name) {
			right++
		} else {
			t.Errorf("%s is taken for %q", name, answer.Label())
		}
		t.Logf("%s: %s %.3f, %s %.3f", name, answer.Scores[0].Label, answer.Scores[0].Score, answer.Scores[1].Label, answer.Scores[1].Score)
	}
	t.Logf("%d of %d unseen pictures are recognized", right, all)
}

// No image to try is an example, a part of one, or mirrored: each differs more from every square cut of
// the examples than a real cut would.
func TestDemoIsUnseen(t *testing.T) {
	const bound = 0.96
	examples, tries := demo(1, guide.Examples), demo(guide.Examples+1, guide.Pictures)
	most, at := 0.0, ""
	for _, try := range tries {
		for _, example := range examples {
			whole, picture := newAreas(t, example), newAreas(t, try)
			for _, mirrored := range []bool{false, true} {
				if like := whole.finds(picture.cells(0, 0, side, mirrored)); like > most {
					most, at = like, try+" and "+example
				}
			}
		}
	}
	t.Logf("most alike: %s, %.3f", at, most)
	if most > bound {
		t.Errorf("%s correlate by %.3f: one is cut out of the other?", at, most)
	}

	least := 1.0
	for _, example := range examples {
		whole := newAreas(t, example)
		for _, cut := range [][3]float64{{0, 0, side}, {5, 11, 140}, {60, 45, 101}} {
			least = min(least, whole.finds(whole.cells(cut[0], cut[1], cut[2], false)))
		}
	}
	t.Logf("the least that a real cut correlates by: %.3f", least)
	if least <= bound {
		t.Errorf("a cut correlates by %.3f: the bound %.2f would not find it", least, bound)
	}
}

const (
	side     = 200 // of the demo's pictures, at half their resolution
	compared = 24  // cells that a cut is compared by, across
)

// areas are an image's sums of brightness over the rectangles from its top left corner.
type areas [side + 1][side + 1]float64

func newAreas(t *testing.T, name string) *areas {
	t.Helper()
	picture := require.Value(jpeg.Decode(bytes.NewReader(demoPicture(t, name))))(t)
	if b := picture.Bounds(); b.Dx() != 2*side || b.Dy() != 2*side {
		t.Fatalf("%s has %v pixels, want %d square", name, b.Size(), 2*side)
	}
	a := new(areas)
	for y := range side {
		for x := range side {
			var brightness float64
			for i := range 4 {
				brightness += float64(color.GrayModel.Convert(picture.At(2*x+i%2, 2*y+i/2)).(color.Gray).Y) / 4
			}
			a[y+1][x+1] = brightness + a[y][x+1] + a[y+1][x] - a[y][x]
		}
	}
	return a
}

// to returns the sum up to a position, interpolated between pixels.
func (a *areas) to(x, y float64) float64 {
	i, k := min(int(x), side-1), min(int(y), side-1)
	u, v := x-float64(i), y-float64(k)
	return (1-v)*((1-u)*a[k][i]+u*a[k][i+1]) + v*((1-u)*a[k+1][i]+u*a[k+1][i+1])
}

// cells returns the sums over the cells of a square cut, mirrored if asked.
func (a *areas) cells(x, y, size float64, mirrored bool) (cells [compared * compared]float64) {
	step := size / compared
	for k := range compared {
		for i := range compared {
			l, t := x+float64(i)*step, y+float64(k)*step
			r, b := min(l+step, side), min(t+step, side)
			at := i
			if mirrored {
				at = compared - 1 - i
			}
			cells[k*compared+at] = a.to(r, b) - a.to(l, b) - a.to(r, t) + a.to(l, t)
		}
	}
	return cells
}

// finds returns the highest normalized cross-correlation of cells with a square cut of at least half
// the side: coarsely first, then near the best cuts.
func (a *areas) finds(cells [compared * compared]float64) (most float64) {
	var x, y, size float64
	try := func(u, v, s float64) bool {
		if s < side/2 || s > side || u < 0 || v < 0 || u+s > side || v+s > side {
			return false
		}
		like := correlation(cells, a.cells(u, v, s, false))
		better := like > most
		if better {
			most, x, y, size = like, u, v, s
		}
		return better
	}
	const step = 7
	for s := float64(side); s >= side/2; s -= step {
		for v := 0.0; v <= side-s; v += step {
			for u := 0.0; u <= side-s; u += step {
				try(u, v, s)
			}
		}
	}
	for d := float64(step) / 2; d > 0.5; {
		if !(try(x+d, y, size) || try(x-d, y, size) || try(x, y+d, size) || try(x, y-d, size) ||
			try(x, y, size-d) || try(x, y, size+d) || try(x-d, y-d, size+d) || try(x+d, y+d, size-d)) {
			d /= 2
		}
	}
	return most
}

func correlation(a, b [compared * compared]float64) float64 {
	var sa, sb, saa, sbb, sab float64
	for i := range a {
		sa, sb, saa, sbb, sab = sa+a[i], sb+b[i], saa+a[i]*a[i], sbb+b[i]*b[i], sab+a[i]*b[i]
	}
	n := float64(len(a))
	return (sab - sa*sb/n) / math.Sqrt((saa-sa*sa/n)*(sbb-sb*sb/n))
}
