//go:build !js

package why_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Parts of any shape can be pointed at, even if they overlap: grids of crops, random crops, and
// coarser maps in addition to the network's. The picture is frozen, and the page agrees with native
// code.
func TestWhyOfPartsThatOverlap(t *testing.T) {
	for _, c := range []struct {
		name, method string
		choice       method.Embedder
	}{
		{"pyramid", `{ embedder: { kind: "fcn", pyramid: [2, 1] } }`, method.Embedder{Pyramid: []int{2, 1}}},
		{"grid", `{ embedder: { kind: "grid", grid: [2, 3] } }`, method.Embedder{Kind: "grid", Grid: []int{2, 3}}},
		{"sampling", `{ embedder: { kind: "sampling", patches: 9 } }`, method.Embedder{Kind: "sampling", Patches: 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, browsertest.Options{}, studiotest.Spy, "spy.method = "+c.method)
			s.Ready()
			native := engineNatively(t, c.choice)
			for i, thing := range studiotest.Things[:2] {
				s.Name(i+1, thing.Name)
				require.NoError(t, native.AddClass(thing.Name, thing.Name))
				files := studiotest.Photographs(t, thing.Wordnet, 0, 3)
				s.Give(i+1, files...)
				s.WaitCount(studiotest.Card(i+1)+" .thumbnail", 3)
				for k, file := range files {
					require.Value(native.AddExample(thing.Name, fmt.Sprint(thing.Name, k), fileOf(t, file)))(t)
				}
			}
			file := studiotest.Photographs(t, studiotest.Things[1].Wordnet, studiotest.Pictures+1, studiotest.Pictures+2)[0]
			s.Upload("#test-picture", file)
			s.WaitFor(`document.querySelector(".why .alike")`)
			said := require.Value(native.Model().Classify(fileOf(t, file)))(t)
			want := require.Value(native.Model().Explain(said, ""))(t)
			if got := s.Text(".why .alike"); got != alike(&want.Match) {
				t.Errorf("the page says %q, native code %q", got, alike(&want.Match))
			}
			s.Shot("why-" + c.name)
			w := &why{studio: s}
			for _, at := range [][2]float64{{.1, .1}, {.5, .5}, {.8, .3}} {
				part := smallestAt(want.From, float32(at[0]), float32(at[1]))
				if part < 0 {
					continue // no crop contains this position
				}
				box := browsertest.Eval[[]float64](s.Browser, `(() => { const m = document.querySelector("#match"); m.scrollIntoView({ block: "center" }); const r = m.getBoundingClientRect(); return [r.x, r.y, r.height]; })()`)
				s.Hover(box[0]+box[2]*at[0], box[1]+box[2]*at[1])
				s.WaitFor(`document.querySelector(".why.still")`)
				s.waitWords(&want.Match, false, part)
			}
			s.Shot("why-" + c.name + "-part")
			s.Click("#closer")
			s.WaitFor(`document.querySelector("#comparison[open] .figures")`)
			link := want.Links(0)[0]
			w.waitPair(reason{Match: &want.Match}, link.From, link.To)
			s.Shot("why-" + c.name + "-closer")
			other := studiotest.Things[0].Name
			s.Click(`.compare .class:nth-child(2)`)
			s.WaitFor(fmt.Sprintf(`document.querySelector("#comparison-title").innerText === %q`, texts.In("en").Why.TitleNot(other)))
			want = require.Value(native.Model().Explain(said, other))(t)
			if got := s.Text(".closer .alike"); got != alike(&want.Match) {
				t.Errorf("%s: the page says %q, native code %q", other, got, alike(&want.Match))
			}
			s.Quiet()
		})
	}
}

// smallestAt returns the region at a position: the smallest that contains it; of equal ones, the
// one with the nearer center.
func smallestAt(nodes answer.Side, x, y float32) int {
	best, key := -1, [2]float32{9, 9}
	for i, r := range nodes {
		if x < r.X0 || y < r.Y0 || x >= r.X1 || y >= r.Y1 {
			continue
		}
		dx, dy := x-(r.X0+r.X1)/2, y-(r.Y0+r.Y1)/2
		k := [2]float32{(r.X1 - r.X0) * (r.Y1 - r.Y0), dx*dx + dy*dy}
		if best < 0 || k[0] < key[0]-1e-4 || (k[0] < key[0]+1e-4 && k[1] < key[1]) {
			best, key = i, k
		}
	}
	return best
}

// engineNatively returns a native engine with the page's method.
func engineNatively(t *testing.T, choice method.Embedder) *learner.Learner {
	t.Helper()
	engine := require.Value(learner.OpenWith(network.ResNet12PhotoWeights(), learner.Options{Method: method.Method{Embedder: choice, Balance: true}.Complete()}))(t)
	return engine
}

// thingFiles returns images of one class as files.
func fileOf(t *testing.T, path string) learner.Picture {
	t.Helper()
	data := require.Value(os.ReadFile(path))(t)
	return learner.Picture{Data: data}
}
