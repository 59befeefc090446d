//go:build !js

package why_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// why is the native counterpart of the page's explanation.
type why struct {
	*studio
	native   *studiotest.Native
	network  backbone.Network
	ids      []string // of the page's examples
	classes  map[string]string
	prepared map[string]*match.Prepared
	pixels   map[string]*imaging.Image
	matcher  match.Matcher
}

// nativeWhy embeds the page's examples from the network's inputs.
func (s *studio) nativeWhy() *why {
	s.T.Helper()
	file := require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(s.T)
	network := require.Value(backbone.New(file, backbone.Options{}))(s.T)
	w := &why{studio: s, native: studiotest.NewNative(s.T), network: network, classes: map[string]string{}, prepared: map[string]*match.Prepared{}, pixels: map[string]*imaging.Image{}}
	for _, e := range browsertest.Eval[[][]string](s.Browser, `Array.from(document.querySelectorAll(".thumbnail"), (t) => [t.dataset.example, t.closest(".card").dataset.class])`) {
		id := e[0]
		index := browsertest.Eval[int](s.Browser, fmt.Sprintf(`spy.sent.findIndex((r) => r.exampleId === %q)`, id))
		w.ids, w.classes[id] = append(w.ids, id), e[1]
		w.pixels[id] = s.Seen(w.native, index)
		w.prepared[id] = w.prepare(w.pixels[id])
	}
	return w
}

func (w *why) prepare(picture *imaging.Image) *match.Prepared {
	w.T.Helper()
	sets := require.Value(embed.Embed(embed.FCN{}, w.network, w.native.Preprocess(), picture))(w.T)
	p := require.Value(w.matcher.Prepare(sets[0]))(w.T)
	return p
}

// reason is a native explanation.
type reason struct {
	*answer.Match
	classID, exampleID string
	seen               *imaging.Image
}

// explain returns the best example of a class, and its match.
func (w *why) explain(seen *imaging.Image, classID string) reason {
	w.T.Helper()
	query := w.prepare(seen)
	best := reason{classID: classID, seen: seen}
	for _, id := range w.ids {
		if w.classes[id] != classID {
			continue
		}
		e := require.Value(w.matcher.Explain(query, w.prepared[id]))(w.T)
		if best.Match == nil || e.Score > best.Score {
			best.Match, best.exampleID = e, id
		}
	}
	return best
}

// alike returns the page's text for a score.
func alike(e *answer.Match) string {
	return texts.In("en").Why.Alike(texts.In("en").Percent(max(0, e.Score/e.Temperature)))
}

// held returns the native explanation of the frozen match while a part of the picture is pointed
// at, or -1 for the strongest. It is the latest reply with the same text, as a later one may not be
// visible.
func (w *why) held(part int) (reason, int) {
	w.T.Helper()
	shown := w.Text(".why .alike") + ": " + w.Text(".why .words")
	var seen []string
	n := browsertest.Eval[int](w.Browser, "(spy.held = spy.reasons.slice()).length") // another may be in the queue
	for i := n - 1; i >= 0; i-- {
		reply := fmt.Sprintf("spy.held[%d]", i)
		side := browsertest.Eval[int](w.Browser, reply+".pixels.width")
		picture := w.native.Picture(side, side, w.Bytes(reply+".pixels.data"))
		found := w.explain(picture, browsertest.Eval[string](w.Browser, reply+".explanation.classId"))
		if id := browsertest.Eval[string](w.Browser, reply+".explanation.exampleId"); id != found.exampleID {
			w.T.Errorf("the page explains by %s, native code by %s", id, found.exampleID)
		}
		if got := browsertest.Eval[float64](w.Browser, reply+".explanation.score"); math.Abs(got-found.Score) > studiotest.Tolerance {
			w.T.Errorf("the page's match scores %v, the native one %v", got, found.Score)
		}
		w.adoptFlow(found, reply)
		at := part
		if part < 0 {
			at = found.Links(0)[0].From
		}
		native := alike(found.Match) + ": " + words(found.Match, false, at)
		if native == shown {
			return found, at
		}
		seen = append(seen, native)
	}
	w.T.Fatalf("the page says %q, native code of the last frames %q", shown, seen)
	return reason{}, 0
}

// adoptFlow replaces the native flow by the page's, which must have the same cost: similar parts
// have several optimal flows.
func (w *why) adoptFlow(r reason, reply string) {
	w.T.Helper()
	n := r.To.N()
	flow := make([]float64, len(r.Similarity))
	rows, columns, score := make([]float64, r.From.N()), make([]float64, n), 0.0
	for _, l := range browsertest.Eval[[]struct {
		From, To int
		Amount   float64
	}](w.Browser, reply+".explanation.flow") {
		k := l.From*n + l.To
		flow[k] = l.Amount
		rows[l.From] += l.Amount
		columns[l.To] += l.Amount
		score += r.Temperature / r.Total * r.Similarity[k] * l.Amount
	}
	if math.Abs(score-r.Score) > studiotest.Tolerance {
		w.T.Errorf("the page's flow collects a score of %v, the native one %v", score, r.Score)
	}
	for _, side := range []struct {
		got  []float64
		want answer.Side
	}{{rows, r.From}, {columns, r.To}} {
		for i, x := range side.got {
			if want := side.want[i].Weight; math.Abs(x-want) > studiotest.Tolerance {
				w.T.Errorf("the page's flow has %v at node %d, which weighs %v", x, i, want)
			}
		}
	}
	r.SetFlow(flow)
}

// words returns the page's text for a part.
func words(e *answer.Match, ofExample bool, part int) string {
	t := texts.In("en")
	if ofExample {
		e = e.Reverse()
	}
	var shares []string
	for _, link := range e.Sends(part, .005) {
		shares = append(shares, t.Percent(link.Flow/e.From[part].Weight))
	}
	return t.Why.Part(t.Percent(e.From[part].Weight/e.Total), len(shares), strings.Join(shares, " + "))
}

// checkBuilt compares the page's rebuilt picture with a native one: the center of every part has
// the mean color of the best match's center, with the brightness of its weight.
func (w *why) checkBuilt(figure int, e *answer.Match, others *imaging.Image) {
	w.T.Helper()
	most, right := 0.0, float32(0)
	for _, n := range e.From {
		most, right = max(most, n.Weight), max(right, n.X1)
	}
	var got [][]float64
	browsertest.Until(w.T, "the picture is built", func() bool { // a moment after the text
		got = browsertest.Eval[[][]float64](w.Browser, fmt.Sprintf(`(() => {
			const canvas = document.querySelector("#comparison [data-figure='%d']");
			const context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
			context.drawImage(canvas, 0, 0);
			return %s.map(([x0, y0, x1, y1]) => {
				const at = (v) => v / %v * canvas.width;
				const w = at(x1 - x0), { data } = context.getImageData(at(x0) + w * .3, at(y0) + w * .3, w * .4, w * .4);
				const sum = [0, 0, 0];
				for (let i = 0; i < data.length; i += 4) for (let c = 0; c < 3; c++) sum[c] += data[i + c];
				return sum.map((v) => v / data.length * 4);
			});
		})()`, figure, regionsText(e.From), right))
		return len(got) == e.From.N() && got[0][0]+got[12][0] > 0
	})
	for i, n := range e.From {
		light := math.Pow(n.Weight/most, 1/2.2)
		want := middleColor(others, e.To[e.Best(i)].Region)
		for c, v := range want {
			if math.Abs(got[i][c]-light*v) > 20 { // scaling mixes in a little of the neighbors
				w.T.Errorf("figure %d, part %d at %v: color %v, natively %v of %v", figure, i, n.Region, got[i], light, want)
				break
			}
		}
	}
}

func regionsText(nodes answer.Side) string {
	var list []string
	for _, r := range nodes {
		list = append(list, fmt.Sprintf("[%v,%v,%v,%v]", r.X0, r.Y0, r.X1, r.Y1))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// middleColor returns the mean color of the center of a region.
func middleColor(img *imaging.Image, r embed.Region) [3]float64 {
	x0, y0, side := float64(r.X0)*float64(img.Width), float64(r.Y0)*float64(img.Height), float64(r.X1-r.X0)*float64(img.Width)
	var sum [3]float64
	const steps = 20
	for i := range steps {
		for j := range steps {
			x, y := x0+side*(.3+.4*(float64(i)+.5)/steps), y0+side*(.3+.4*(float64(j)+.5)/steps)
			for c := range sum {
				sum[c] += float64(img.Pix[(int(y)*img.Width+int(x))*3+c]) / (steps * steps)
			}
		}
	}
	return sum
}
