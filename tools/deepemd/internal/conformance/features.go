package conformance

import (
	"context"
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

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
