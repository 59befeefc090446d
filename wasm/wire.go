package wasm

import (
	"fmt"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// What the learner says, as it travels.

func info(l *learner.Learner) protocol.Info {
	i, p := l.Info(), l.Preprocess()
	return protocol.Info{
		Name: i.Name, Version: i.Version, Kernels: i.Kernels, Sound: l.IsAudio(), Features: l.TakesFeatures(), InputSize: i.InputSize,
		Preprocess: protocol.Preprocess{Size: p.Size, Resize: p.Resize, Mean: p.Mean, Std: p.Std},
		Widths:     i.Widths, Nodes: i.Nodes, Channels: i.Channels, Crops: i.Inputs,
	}
}

// show gives a reply what was seen of a picture, if anything was.
func show(seen *answer.Image, size *int, pixels *[]byte) {
	if seen != nil {
		*size, *pixels = seen.Width, seen.Pix
	}
}

// shapeOf reads which features come.
func shapeOf(f *protocol.Features) (learner.Shape, error) {
	shape := learner.Shape{Name: f.Name, Nodes: f.Nodes, Channels: f.Channels}
	if len(f.Regions) != 4*f.Nodes && f.Regions != nil {
		return shape, &learner.Error{Code: learner.CodeBadArgument, Message: fmt.Sprintf(
			"%d values of regions for %d nodes: want x0, y0, x1 and y1 of each", len(f.Regions), f.Nodes)}
	}
	for i := 0; i < len(f.Regions); i += 4 {
		r := f.Regions[i:]
		shape.Regions = append(shape.Regions, embed.Region{X0: r[0], Y0: r[1], X1: r[2], Y1: r[3]})
	}
	return shape, nil
}

func scores(list []answer.Score) []protocol.Score {
	out := make([]protocol.Score, len(list))
	for i, s := range list {
		out[i] = protocol.Score(s)
	}
	return out
}

func unknown(f *answer.Verdict) *protocol.Unknown {
	if f == nil {
		return nil
	}
	return &protocol.Unknown{Unknown: f.Unknown, Nothing: f.Nothing, Score: f.Score, Threshold: f.Threshold, Balanced: f.Balanced, Estimated: f.Estimated}
}

func trained(t learner.Trained, finished bool) protocol.Trained {
	return protocol.Trained{
		Done: t.Done, Total: t.Total, Finished: finished,
		Of: t.Gain.Of, Before: t.Gain.Before, After: t.Gain.After,
	}
}

func reviewed(r *answer.Review) protocol.Reviewed {
	out := protocol.Reviewed{
		Known: r.Known, Unknown: r.Unknown, Balanced: r.Balanced, Estimated: r.Estimated,
		Accepted: r.Accepted, Rejected: r.Rejected,
	}
	for _, e := range r.Examples {
		out.Examples = append(out.Examples, protocol.ReviewedExample(e))
	}
	for _, c := range r.Classes {
		out.Classes = append(out.Classes, protocol.ReviewedClass(c))
	}
	for _, h := range r.Hurting {
		out.Hurting = append(out.Hurting, protocol.Hurt(h))
	}
	return out
}

func grown(g *answer.Curve) *protocol.GrowthReply {
	out := &protocol.GrowthReply{Done: g.Done, Total: g.Total}
	for _, p := range g.Points {
		out.Points = append(out.Points, protocol.GrowthPoint(p))
	}
	for _, c := range g.Classes {
		out.Classes = append(out.Classes, protocol.GrowthClass(c))
	}
	return out
}

func wireExplanation(e *answer.Explanation) *protocol.WireExplanation {
	wire := &protocol.WireExplanation{
		ClassID: e.ClassID, Label: e.Label, ExampleID: e.ExampleID,
		Score: e.Score, Total: e.Total, Temperature: e.Temperature,
		Query: nodes(e.From), Support: nodes(e.To), Similarity: narrow(e.Similarity), Flow: dense(e),
	}
	for _, s := range e.Head {
		wire.Head = append(wire.Head, protocol.Shares(s))
	}
	return wire
}

// nodes lists each node's region and weight.
func nodes(side answer.Side) []float32 {
	var list []float32
	for _, n := range side {
		list = append(list, n.X0, n.Y0, n.X1, n.Y1, float32(n.Weight))
	}
	return list
}

// regions lists the parts of a picture.
func regions(parts []embed.Region) []float32 {
	var list []float32
	for _, r := range parts {
		list = append(list, r.X0, r.Y0, r.X1, r.Y1)
	}
	return list
}

func narrow(values []float64) []float32 {
	list := make([]float32, len(values))
	for i, v := range values {
		list[i] = float32(v)
	}
	return list
}

func dense(e *answer.Explanation) []float32 {
	list := make([]float32, len(e.Similarity))
	for _, l := range e.Flow {
		list[l.From*e.To.N()+l.To] = float32(l.Flow)
	}
	return list
}
