package tests

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// way is the number of classes of the recorded episodes.
const way = 5

// setting is a way in which the authors' code embedded images.
type setting struct {
	name           string // of the logits
	pixels, resize int    // as in imaging.Preprocess
	embedder       embed.Embedder
	episodes       int // the number of recorded episodes; 0 for all
}

var tests = []struct {
	network string
	values  string
	images  string
	pieces  setting
	logits  []setting
}{
	{
		"resnet12-cifarfs", "reference", "cifar100.zip", setting{pixels: 84, resize: 92},
		[]setting{
			{name: "fcn_32", pixels: 32, embedder: embed.FCN{}},
			{name: "fcn_84", pixels: 84, resize: 92, embedder: embed.FCN{}},
			{name: "fcn_84_pyramid_2_1", pixels: 84, resize: 92, embedder: embed.FCN{Pyramid: []int{2, 1}}},
			// Crops of the whole image, each scaled to the input's size.
			{name: "grid_84_2_3", pixels: 84, resize: 84, embedder: embed.Grid{Levels: []int{2, 3}, Ratio: 2}, episodes: 6},
		},
	},
	{
		"resnet12-s-tiny", "resnet12-s-tiny", "tiny-imagenet.zip", setting{pixels: 64},
		[]setting{{name: "fcn_64", pixels: 64, embedder: embed.FCN{}}},
	},
}

// recorded holds a network and the values that the authors' code computed with it.
type recorded struct {
	Episodes   []data.Episode `json:"episodes_1shot"`
	FiveShot   []data.Episode `json:"episodes_5shot"`
	SFC        *descent
	Act        struct{ Image string }
	Pair       *struct{ Support, Query string }
	Preprocess struct{ Mean, Std [3]float32 }

	network backbone.Network
	images  *data.Set
	arrays  string // path of the NPZ file
}

func TestConformance(t *testing.T) {
	for _, test := range tests {
		t.Run(test.network, func(t *testing.T) {
			r := &recorded{arrays: require.Shared(t, "reference/"+test.values+".npz")}
			raw := require.Value(os.ReadFile(require.Shared(t, "reference/"+test.values+".json")))(t)
			require.NoError(t, json.Unmarshal(raw, r))
			r.network = network(t, test.network)
			r.images = require.Value(data.OpenSplit(require.Shared(t, "datasets/"+test.images), ""))(t)
			defer r.images.Close()

			r.compareActivations(t, test.pieces)
			if r.Pair != nil {
				r.comparePair(t, test.pieces)
			}
			for _, s := range test.logits {
				r.compareLogits(t, s)
			}
			if r.SFC != nil {
				r.compareSFC(t, test.pieces)
			}
		})
	}
}

// network reads a network from its PyTorch file.
func network(t *testing.T, name string) backbone.Network {
	path := require.Shared(t, "reference/"+name+".pth")
	tensors := require.Value(netfile.LoadTorch(path, require.Value(os.ReadFile(path))(t)))(t)
	meta := weights.Meta{Arch: backbone.ArchResNet12, Name: name, Widths: require.Value(netfile.TorchWidths(path, tensors))(t)}
	return require.Value(backbone.New(&weights.File{Source: path, Meta: meta, Tensors: tensors}, backbone.Options{}))(t)
}

func (r *recorded) preprocess(s setting) imaging.Preprocess {
	return imaging.Preprocess{Size: s.pixels, Resize: s.resize, Mean: r.Preprocess.Mean, Std: r.Preprocess.Std}
}

func readArray(t *testing.T, path, name string) (values []float32) {
	f := require.Value(npz.Open(path))(t)
	defer f.Close()
	require.NoError(t, f.Read(name+".npy", &values))
	return values
}

// difference is a way to measure the difference between a value and the recorded one.
type difference string

const (
	absolute difference = "absolute"
	relative difference = "relative" // to the recorded value
	// relativeRMS is relative to the recorded value, or to the root mean square of all if that is
	// larger: values near zero are sums of larger ones.
	relativeRMS difference = "relative to the RMS"
)

func compare[T float32 | float64](t *testing.T, what string, measure difference, tolerance float64, got, want []T) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%s: %d values, want %d", what, len(got), len(want))
		return
	}
	rms, worst := 0.0, 0.0
	if measure == relativeRMS {
		for _, w := range want {
			rms += float64(w) * float64(w) / float64(len(want))
		}
		rms = math.Sqrt(rms)
	}
	for i, w := range want {
		d := math.Abs(float64(got[i]) - float64(w))
		if measure != absolute && d > 0 {
			d /= max(math.Abs(float64(w)), rms)
		}
		worst = max(worst, d) // NaN stays
	}
	text := fmt.Sprintf("%s: largest difference %.2e of %d values, tolerance %.0e %s", what, worst, len(want), tolerance, measure)
	if !(worst <= tolerance) {
		t.Error(text)
		return
	}
	t.Log(text)
}

// compareActivations compares the network's input and the output of every block for one image.
func (r *recorded) compareActivations(t *testing.T, s setting) {
	pre := r.preprocess(s)
	image := require.Value(r.images.Image(r.Act.Image))(t)
	input := tensor.New(1, pre.Size, pre.Size, 3)
	pre.Normalize(input.Data, pre.Pixels(image))
	// One rounding of float32 at the scale of normalized pixels.
	compare(t, "network input", absolute, 1e-6, channelsFirst(input), readArray(t, r.arrays, "act_input"))
	for i, block := range require.Value(r.network.BlockOutputs(input))(t) {
		want := readArray(t, r.arrays, fmt.Sprintf("act_layer%d", i+1))
		compare(t, fmt.Sprintf("activations of block %d", i+1), relativeRMS, 1e-3, channelsFirst(block), want)
	}
}

// channelsFirst returns the values of x, [1, H, W, C], in the order [1, C, H, W].
func channelsFirst(x *tensor.Tensor) []float32 {
	positions, c := x.Shape[1]*x.Shape[2], x.Shape[3]
	out := make([]float32, len(x.Data))
	for i, v := range x.Data {
		out[i%c*positions+i/c] = v
	}
	return out
}

// comparePair compares the node weights, the similarities and the score of one pair of images. Flows
// may differ if costs tie.
func (r *recorded) comparePair(t *testing.T, s setting) {
	var sets []*match.Prepared
	for _, name := range []string{r.Pair.Query, r.Pair.Support} {
		image := require.Value(r.images.Image(name))(t)
		embedded := require.Value(embed.Embed(embed.FCN{}, r.network, r.preprocess(s), image))(t)
		sets = append(sets, require.Value(match.Prepare(embedded[0]))(t))
	}
	query, support := sets[0], sets[1]
	var matcher match.Matcher
	got := require.Value(matcher.MatchPrepared(query, support))(t)
	want := func(name string) (wide []float64) {
		for _, v := range readArray(t, r.arrays, "pair_"+name) {
			wide = append(wide, float64(v))
		}
		return wide
	}
	weights := make([]float64, query.N()+support.N())
	match.CrossReference{}.Weigh(weights[:query.N()], query, support)
	match.CrossReference{}.Weigh(weights[query.N():], support, query)
	compare(t, "node weights of a pair", relative, 1e-3, weights, append(want("weight_query"), want("weight_support")...))
	similarity, flow := want("similarity"), want("flow")
	compare(t, "similarities of a pair", absolute, 1e-3, got.Similarity, similarity)
	score := 0.0
	for i, v := range similarity {
		score += method.Temperature / float64(query.N()) * v * flow[i]
	}
	compare(t, "score of a pair", absolute, 2e-3, []float64{got.Score}, []float64{score})
}

// sample returns the first episodes with their first queries and the recorded logits of these,
// [episodes][queries·way]. Queries take turns among the classes.
func sample(episodes []data.Episode, logits []float32) ([]data.Episode, []float32) {
	if os.Getenv("DEEPEMD_FULL") != "" {
		return episodes, logits
	}
	const count, queries = 2, 15
	each := len(logits) / len(episodes)
	episodes = slices.Clone(episodes[:count])
	var wanted []float32
	for i := range episodes {
		episodes[i].Query = episodes[i].Query[:queries]
		wanted = append(wanted, logits[i*each:][:queries*way]...)
	}
	return episodes, wanted
}

func (r *recorded) extract(t *testing.T, s setting, episodes []data.Episode) evaluate.Features {
	var names []string
	for _, e := range episodes {
		names = append(append(names, e.Support...), e.Query...)
	}
	return require.Value(evaluate.Extract(t.Context(), names, r.images.Image, evaluate.Extraction{
		Encoder: r.network, Embedder: s.embedder, Preprocess: r.preprocess(s),
	}))(t)
}

// classify returns the logits of all queries.
func classify(t *testing.T, features evaluate.Features, episodes []data.Episode, classifier func() fewshot.Classifier) []float32 {
	result := require.Value(evaluate.Run(t.Context(), features, episodes, evaluate.Config{Way: way, Classifier: classifier}))(t)
	return slices.Concat(result.Logits...)
}

func (r *recorded) compareLogits(t *testing.T, s setting) {
	logits := readArray(t, r.arrays, "logits_"+s.name)
	episodes := r.Episodes
	if s.episodes > 0 {
		episodes = episodes[:s.episodes]
	}
	episodes, want := sample(episodes, logits)
	got := classify(t, r.extract(t, s, episodes), episodes, func() fewshot.Classifier { return new(fewshot.Prototype) })
	compare(t, "logits "+s.name, absolute, 2e-3, got, want)
	compareClasses(t, s.name, got, want, 0.999)
}

// compareClasses compares the predicted classes. Logits that tie within the tolerance may fall either
// way, so that a small share of the classes may differ.
func compareClasses(t *testing.T, what string, got, want []float32, least float64) {
	same, rows := 0, len(want)/way
	for i := range rows {
		if predicted(got, i) == predicted(want, i) {
			same++
		}
	}
	if share := float64(same) / float64(rows); share < least {
		t.Errorf("%s: %d of %d predicted classes agree", what, same, rows)
	}
}

// predicted returns the class of query i.
func predicted(logits []float32, i int) int {
	row := logits[i*way:][:way]
	return slices.Index(row, slices.Max(row))
}

// descent is how the authors' structured fully connected layer learned.
type descent struct {
	Rate      float64 `json:"lr"`
	Momentum  float64
	Dampening float64
	Batch     int
	Passes    int       `json:"epochs"`
	Order     [][][]int // of the support, by episode and pass
}

// of returns the descent in an episode with n support images. The authors number them shot by shot,
// fewshot class by class.
func (d *descent) of(episode, n int, rate float64) fewshot.Descent {
	own := fewshot.Descent{Rate: rate, Momentum: d.Momentum, Dampening: d.Dampening, Batch: d.Batch, Passes: d.Passes}
	for _, order := range d.Order[episode] {
		var pass []int
		for _, at := range order {
			pass = append(pass, at%way*(n/way)+at/way)
		}
		own.Order = append(own.Order, pass)
	}
	return own
}

// compareSFC compares the logits of the 5-shot episodes after the layer has learned, at the rates of
// the authors' training script and of their evaluation. At our own rate, which depends on the
// features, it compares the number of correct answers.
func (r *recorded) compareSFC(t *testing.T, s setting) {
	slow := readArray(t, r.arrays, "logits_sfc_fcn_84_5shot")
	fast := readArray(t, require.Shared(t, "reference/sfc100.npz"), "logits_sfc100_fcn_84_5shot")
	episodes, slow := sample(r.FiveShot, slow)
	_, fast = sample(r.FiveShot, fast)
	features := r.extract(t, s, episodes)
	learned := func(rate float64) (logits []float32) {
		for i, e := range episodes { // one at a time: each has its own order
			d := r.SFC.of(i, len(e.Support), rate)
			logits = append(logits, classify(t, features, []data.Episode{e}, func() fewshot.Classifier { return &fewshot.SFC{Descent: d} })...)
		}
		return logits
	}
	for _, c := range []struct {
		rate      float64
		want      []float32
		tolerance float64
	}{
		{r.SFC.Rate, slow, 5e-3},
		{method.SFCRate, fast, 2e-2}, // a higher rate amplifies rounding
	} {
		what, got := fmt.Sprintf("logits of SFC, rate %g", c.rate), learned(c.rate)
		compare(t, what, absolute, c.tolerance, got, c.want)
		compareClasses(t, what, got, c.want, 0.995)
	}
	own, each := learned(0), len(fast)/len(episodes)
	for i := range episodes {
		got, want := correct(own[i*each:][:each]), correct(fast[i*each:][:each])
		if d := got - want; d < -1 || d > 1 {
			t.Errorf("SFC at its own rate: %d correct answers in episode %d, want %d", got, i+1, want)
		}
	}
}

// correct returns the number of correct answers to an episode's queries.
func correct(logits []float32) (n int) {
	for i := range len(logits) / way {
		if predicted(logits, i) == i%way {
			n++
		}
	}
	return n
}
