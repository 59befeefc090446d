package host

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// TestFeatures: an engine without a network is taught and asked by features, in place
// and in a draft, and answers as one whose network made them.
func TestFeatures(t *testing.T) {
	net := started(t)
	host := new(Host)
	begun := must[*protocol.Started](t, host, &protocol.Init{Features: &protocol.Features{Name: "theirs", Nodes: 4, Channels: 32}})
	if i := begun.Info; !i.Features || i.Name != "theirs" || i.Nodes != 4 || i.Channels != 32 || i.Crops != 1 || i.InputSize == 0 || i.Widths != nil {
		t.Errorf("info %+v", i)
	}
	if must[*protocol.Started](t, new(Host), &protocol.Init{Weights: smallWeights(t)}).Info.Features {
		t.Error("an engine with a network takes features")
	}
	for i, p := range []learner.Picture{red, blue, green} {
		id := string(rune('a' + i))
		for _, h := range []*Host{net, host} {
			expect(t, h, &protocol.AddClass{ClassID: id, Label: id})
		}
		made := must[*protocol.Added](t, net, &protocol.AddExample{ClassID: id, ExampleID: id, Shown: seeing(p)})
		got := must[*protocol.Added](t, host, &protocol.AddExample{ClassID: id, ExampleID: id, Shown: knowing(made.Embedding...), Answer: true})
		if got.Pixels != nil || got.Embedding != nil || len(got.Answer.Scores) != i+1 || got.Answer.Scores[0].ID != id {
			t.Errorf("taught %+v", got)
		}
	}
	probe := must[*protocol.Added](t, net, &protocol.AddExample{ClassID: "a", ExampleID: "probe", Shown: seeing(plain(90, 20, 160))}).Embedding
	expect(t, net, &protocol.RemoveExample{ExampleID: "probe"})
	want := must[*answer.Answer](t, net, &protocol.Classify{Shown: seeing(plain(90, 20, 160))})
	for _, h := range []*Host{net, host} { // known embeddings need no forward pass
		got := must[*answer.Answer](t, h, &protocol.Classify{Shown: knowing(probe...), Explain: true, Pixels: true})
		if !slices.Equal(got.Scores, want.Scores) || *got.Verdict != *want.Verdict || got.Explanation == nil || got.Seen != nil {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: protocol.Shown{Picture: red, Embedding: probe}, Pixels: true}); got.Seen == nil || got.Seen.Width != begun.Info.InputSize {
		t.Errorf("beside the features %+v was seen", got.Seen)
	}
	refused(t, host, &protocol.Classify{Shown: seeing(red)}, learner.CodeBadArgument)
	refused(t, host, &protocol.Classify{Shown: knowing(probe[1:]...)}, learner.CodeBadArgument)
	refused(t, host, &protocol.Classify{Shown: knowing(make([]float32, 128)...)}, learner.CodeBadArgument)
	refused(t, net, &protocol.Classify{Shown: knowing(make([]float32, 128)...)}, learner.CodeBadArgument)
	probe[5] = float32(math.NaN())
	refused(t, host, &protocol.Classify{Shown: knowing(probe...)}, learner.CodeBadArgument)
	refused(t, host, &protocol.Inputs{Picture: red}, learner.CodeInternal)
	refused(t, host, &protocol.Encode{Crops: make([]byte, 3)}, learner.CodeBadArgument)

	// Another embedder makes no difference.
	m := method.Default()
	m.Embedder, m.Classifier = method.Embedder{Kind: "grid"}, "nearest"
	if got := must[*protocol.Configured](t, host, &protocol.Configure{Method: m}); got.Embeds || got.Method.Classifier != "nearest" || got.Method.Embedder.Kind != "fcn" {
		t.Errorf("configured %+v", got)
	}
	if got := must[*protocol.Begun](t, host, &protocol.Begin{Method: m}); !got.Info.Features || got.Info.Name != "theirs" || got.Info.Nodes != 4 {
		t.Errorf("draft %+v", got)
	}
	expect(t, host, &protocol.Reshape{Features: protocol.Features{Name: "theirs", Nodes: 1, Channels: 2}, Draft: true}, &protocol.AddClass{ClassID: "x", Draft: true})
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "x", ExampleID: "x", Shown: knowing(1, 2), Draft: true})
	expect(t, host, new(protocol.Commit))
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: knowing(2, 3)}); got.Scores[0].ID != "x" {
		t.Errorf("scores %+v, want the draft's class", got.Scores)
	}
}

// TestShapesOfFeatures: the shape may come later, regions with it.
func TestShapesOfFeatures(t *testing.T) {
	host := new(Host)
	refused(t, host, &protocol.Init{Features: &protocol.Features{Nodes: 1, Channels: 1}}, learner.CodeBadArgument)
	refused(t, host, &protocol.Init{Features: &protocol.Features{Nodes: 2, Channels: 2, Regions: []answer.Region{{X1: 1, Y1: 1}}}}, learner.CodeBadArgument)
	must[*protocol.Started](t, host, &protocol.Init{Features: new(protocol.Features)})
	expect(t, host, &protocol.AddClass{ClassID: "a"})
	refused(t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Shown: knowing(1, 2, 3, 4)}, learner.CodeBadArgument)
	expect(t, host, &protocol.Reshape{Features: protocol.Features{Nodes: 2, Channels: 2, Regions: []answer.Region{{X1: 0.25, Y1: 1}, {X0: 0.25, X1: 1, Y1: 1}}}})
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Shown: knowing(1, 2, 4, 3)})
	why := must[*answer.Answer](t, host, &protocol.Classify{Shown: knowing(1, 2, 4, 3), Explain: true}).Explanation
	if why.From[0].Region != (answer.Region{X1: 0.25, Y1: 1}) || why.To[1].Region != (answer.Region{X0: 0.25, X1: 1, Y1: 1}) {
		t.Errorf("regions %v and %v", why.From, why.To)
	}
	refused(t, host, &protocol.Reshape{Features: protocol.Features{Nodes: 1, Channels: 4}}, learner.CodeBadArgument)
	refused(t, started(t), &protocol.Reshape{Features: protocol.Features{Nodes: 1, Channels: 4}}, learner.CodeBadArgument)
}
