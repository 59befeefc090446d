package conformance

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/solver"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// compareActivations compares the network's input and the output of every block
// for one picture, from its file on.
func (r *reference) compareActivations(report func(Check)) error {
	pre := r.preprocess(r.pieces)
	picture, err := r.data.Image(r.list.Act.Image)
	if err != nil {
		return err
	}
	input := tensor.New(1, pre.Size, pre.Size, 3)
	pre.Normalize(input.Data, pre.Pixels(picture))
	want, err := r.array("act_input")
	if err != nil {
		return err
	}
	// One rounding of float32 at the scale of normalised pixels.
	report(compare(r.name+": network input", Absolute, 1e-6, channelsFirst(input), want))

	blocks, err := r.network.BlockOutputs(input)
	if err != nil {
		return err
	}
	for i, block := range blocks {
		want, err := r.array(fmt.Sprintf("act_layer%d", i+1))
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%s: activations of block %d", r.name, i+1)
		report(compare(what, RelativeRMS, 1e-3, channelsFirst(block), want))
	}
	return nil
}

// channelsFirst returns the values of t, [1, H, W, C], in the reference's
// order, [1, C, H, W].
func channelsFirst(t *tensor.Tensor) []float32 {
	t.MustShape("activations", 1, -1, -1, -1)
	positions, c := t.Shape[1]*t.Shape[2], t.Shape[3]
	out := make([]float32, len(t.Data))
	for p := range positions {
		for k := range c {
			out[k*positions+p] = t.Data[p*c+k]
		}
	}
	return out
}

// bound returns the episodes and the queries of each that the options leave, and
// their logits, [episodes][queries·way].
func (o Options) bound(episodes []data.Episode, logits []float32) ([]data.Episode, []float32) {
	each := len(logits) / len(episodes)
	if o.Episodes > 0 {
		episodes = episodes[:min(o.Episodes, len(episodes))]
	}
	var bounded []data.Episode
	var wanted []float32
	for i, e := range episodes {
		count := each
		if o.Queries > 0 && o.Queries < len(e.Query) {
			e.Query = e.Query[:o.Queries]
			count = min(o.Queries*way, each)
		}
		bounded, wanted = append(bounded, e), append(wanted, logits[i*each:][:count]...)
	}
	return bounded, wanted
}

// features embeds the pictures of episodes as a setting says. The network meets a
// picture once for all fully convolutional settings that prepare it alike: its
// feature map is kept, and each of them makes its nodes of it.
func (r *reference) features(ctx context.Context, s setting, episodes []data.Episode, opt Options) (evaluate.Features, error) {
	var names []string
	for _, e := range episodes {
		names = append(append(names, e.Support...), e.Query...)
	}
	pre := r.preprocess(s)
	x := evaluate.Extraction{Encoder: r.network, Embedder: s.embedder, Preprocess: pre, Threads: opt.Threads}
	fcn, convolutional := s.embedder.(embed.FCN)
	if !convolutional && s.embedder != nil {
		return evaluate.Extract(ctx, names, r.data.Image, x)
	}

	maps := r.maps[pre]
	if maps == nil {
		maps = evaluate.Features{}
		r.maps[pre] = maps
	}
	var fresh []string
	for _, name := range names {
		if maps[name] == nil {
			fresh = append(fresh, name)
		}
	}
	x.Embedder = embed.FCN{}
	extracted, err := evaluate.Extract(ctx, fresh, r.data.Image, x)
	if err != nil {
		return nil, err
	}
	features := evaluate.Features{}
	for name, raw := range extracted {
		maps[name] = raw
	}
	for _, name := range names {
		features[name] = nodes(fcn, maps[name], pre)
	}
	return features, nil
}

// nodes makes an embedder's nodes of a square feature map, whose positions are the
// nodes of raw.
func nodes(fcn embed.FCN, raw *embed.Set, pre imaging.Preprocess) *embed.Set {
	side := int(math.Round(math.Sqrt(float64(raw.N))))
	input := embed.Crop{Picture: &imaging.Image{Width: pre.Size, Height: pre.Size}, Region: embed.Region{X1: 1, Y1: 1}}
	return fcn.Set([]embed.Crop{input}, tensor.Of(raw.Data, 1, side, side, raw.C))
}

// way is the number of classes of the reference's episodes.
const way = 5

// compareLogits compares the scores of every query of the reference's 1-shot
// episodes, from image files on.
func (r *reference) compareLogits(ctx context.Context, s setting, opt Options, report func(Check)) error {
	want, err := r.array("logits_" + s.name)
	if err != nil {
		return err
	}
	episodes := r.list.Episodes
	if len(episodes) == 0 {
		return fmt.Errorf("%s: no 1-shot episodes", r.path(r.lists+".json"))
	}
	if s.episodes > 0 {
		episodes = episodes[:min(s.episodes, len(episodes))]
	}
	episodes, want = opt.bound(episodes, want)
	features, err := r.features(ctx, s, episodes, opt)
	if err != nil {
		return err
	}
	result, err := evaluate.Run(ctx, features, episodes, evaluate.Config{
		Way:        way,
		Classifier: func() fewshot.Classifier { return new(fewshot.Prototype) },
		Threads:    opt.Threads,
	})
	if err != nil {
		return err
	}
	var got []float32
	for _, logits := range result.Logits {
		got = append(got, logits...)
	}
	check := compare(r.name+": logits "+s.name, Absolute, 2e-3, got, want)
	if len(got) == len(want) {
		check.Queries, check.Agreement = agreement(got, want, way)
	}
	report(check)
	return nil
}

// learning is how the reference's structured fully connected layer learned.
type learning struct {
	Rate      float64 `json:"lr"`
	Momentum  float64
	Dampening float64
	Batch     int
	Passes    int       `json:"epochs"`
	Order     [][][]int // of the support, by episode and pass
}

// compareSFC compares the scores of the queries of the reference's 5-shot episodes after its
// layer has learned, from image files on, at the rate of the authors' training script and at
// that of their evaluation; and the answers at our own rate, which depends on the features,
// with the latter's.
func (r *reference) compareSFC(ctx context.Context, opt Options, report func(Check)) error {
	const name = "logits_sfc_fcn_84_5shot"
	slow, err := r.array(name)
	if err != nil {
		return err
	}
	fast, err := readArray(r.path(r.fast+".npz"), "logits_sfc100_fcn_84_5shot")
	if err != nil {
		return err
	}
	if len(r.list.FiveShot) == 0 || len(r.list.SFC.Order) != len(r.list.FiveShot) {
		return fmt.Errorf("%s: %d orders for %d 5-shot episodes", r.path(r.lists+".json"), len(r.list.SFC.Order), len(r.list.FiveShot))
	}
	for _, c := range []struct {
		rate      float64
		want      []float32
		tolerance float64
	}{
		{r.list.SFC.Rate, slow, 5e-3},
		{method.SFCRate, fast, 2e-2}, // it amplifies rounding
	} {
		got, want, err := r.learned(ctx, opt, c.rate, c.want)
		if err != nil {
			return err
		}
		check := compare(fmt.Sprintf("%s: %s, rate %g", r.name, strings.ReplaceAll(name, "_", " "), c.rate), Absolute, c.tolerance, got, want)
		check.Least = 0.995
		if len(got) == len(want) {
			check.Queries, check.Agreement = agreement(got, want, way)
		}
		report(check)
	}
	got, want, err := r.learned(ctx, opt, 0, fast)
	if err != nil {
		return err
	}
	check := Check{What: r.name + ": right answers of each 5-shot episode with SFC at its own rate", Measure: Absolute, Tolerance: 1}
	each := len(want) / max(len(r.list.FiveShot), 1)
	if opt.Episodes > 0 {
		each = len(want) / min(opt.Episodes, len(r.list.FiveShot))
	}
	for from := 0; from < len(want) && len(got) == len(want); from += each {
		check.Compared++
		check.Worst = max(check.Worst, math.Abs(float64(right(got[from:from+each])-right(want[from:from+each]))))
	}
	report(check)
	return nil
}

// right is how many queries, which go round the classes, have their class's logit as the
// highest.
func right(logits []float32) (n int) {
	for i := range len(logits) / way {
		if highest(logits[i*way:][:way]) == i%way {
			n++
		}
	}
	return n
}

// learned returns the logits of the queries after the layer has learned at a rate, 0 for its
// own, and those of the reference that the options leave.
func (r *reference) learned(ctx context.Context, opt Options, rate float64, logits []float32) (got, want []float32, err error) {
	episodes, want := opt.bound(r.list.FiveShot, logits)
	features, err := r.features(ctx, r.pieces, episodes, opt)
	if err != nil {
		return nil, nil, err
	}
	for i, episode := range episodes { // one at a time: each has its own order
		d := r.list.SFC.descent(i, len(episode.Support))
		d.Rate = rate
		result, err := evaluate.Run(ctx, features, []data.Episode{episode}, evaluate.Config{
			Way:        way,
			Classifier: func() fewshot.Classifier { return &fewshot.SFC{Descent: d} },
			Threads:    1,
		})
		if err != nil {
			return nil, nil, err
		}
		got = append(got, result.Logits[0]...)
	}
	return got, want, nil
}

// descent is how the layer learned in an episode of so many support pictures. The
// reference counts them shot by shot, fewshot class by class.
func (l *learning) descent(episode, support int) fewshot.Descent {
	d := fewshot.Descent{Rate: l.Rate, Momentum: l.Momentum, Dampening: l.Dampening, Batch: l.Batch, Passes: l.Passes}
	for _, order := range l.Order[episode] {
		var own []int
		for _, at := range order {
			own = append(own, at%way*(support/way)+at/way)
		}
		d.Order = append(d.Order, own)
	}
	return d
}

// transportSuite is the comparison with the problems of one file.
func transportSuite(path string) Suite {
	return Suite{Name: "transport", files: []string{path}, run: func(_ context.Context, _ Options, report func(Check)) error {
		return compareTransport(path, report)
	}}
}

// compareTransport solves the reference's transport problems and compares each
// optimum with that of an independent solver.
func compareTransport(path string, report func(Check)) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	problems, _, err := Parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var got, want []float64
	var simplex solver.Simplex
	for i, p := range problems {
		solution, err := p.Solve(&simplex)
		if err != nil {
			return fmt.Errorf("%s: problem %d (%s): %w", path, i+1, p.Kind, err)
		}
		if p.Optimum == nil {
			return fmt.Errorf("%s: problem %d (%s) has no optimum to compare with", path, i+1, p.Kind)
		}
		got, want = append(got, solution.Optimum), append(want, *p.Optimum)
	}
	report(compare("transport problems: optimum", Relative, 1e-9, got, want))
	return nil
}
