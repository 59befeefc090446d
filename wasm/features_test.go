package wasm

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// TestFeatures: an engine without a network is taught and asked by features, in place
// and in a draft, and answers as one whose network made them.
func TestFeatures(t *testing.T) {
	net := started(t)
	host := new(Host)
	begun := must[*protocol.InitReply](t, host, &protocol.Init{Features: &protocol.Features{Name: "theirs", Nodes: 4, Channels: 32}})
	if i := begun.Info; !i.Features || i.Name != "theirs" || i.Nodes != 4 || i.Channels != 32 || i.Crops != 1 || i.InputSize == 0 || i.Widths != nil {
		t.Errorf("info %+v", i)
	}
	if must[*protocol.InitReply](t, new(Host), &protocol.Init{Weights: smallWeights(t)}).Info.Features {
		t.Error("an engine with a network takes features")
	}
	for i, p := range []learner.Picture{red, blue, green} {
		id := string(rune('a' + i))
		for _, h := range []*Host{net, host} {
			done(t, h, &protocol.AddClass{ClassID: id, Label: id})
		}
		made := must[*protocol.AddExampleReply](t, net, &protocol.AddExample{ClassID: id, ExampleID: id, Picture: p})
		got := must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: id, ExampleID: id, Embedding: made.Embedding, Answer: true})
		if got.Size != 0 || got.Pixels != nil || len(got.Scores) != i+1 || got.Scores[0].ID != id {
			t.Errorf("taught %+v", got)
		}
	}
	probe := must[*protocol.AddExampleReply](t, net, &protocol.AddExample{ClassID: "a", ExampleID: "probe", Picture: plain(90, 20, 160)}).Embedding
	done(t, net, &protocol.RemoveExample{ExampleID: "probe"})
	want := must[*protocol.ClassifyReply](t, net, &protocol.Classify{Picture: plain(90, 20, 160)})
	for _, h := range []*Host{net, host} { // what is known needs no pass through the network, where there is one
		got := must[*protocol.ClassifyReply](t, h, &protocol.Classify{Embedding: probe, Explain: true, Pixels: true})
		if !slices.Equal(got.Scores, want.Scores) || *got.Unknown != *want.Unknown || got.Explanation == nil || got.Size != 0 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Embedding: probe, Picture: red, Pixels: true}); got.Size != begun.Info.InputSize || len(got.Pixels) != 3*got.Size*got.Size {
		t.Errorf("a picture beside the features is %d wide", got.Size)
	}
	refused(t, host, &protocol.Classify{Picture: red}, learner.CodeBadArgument)
	refused(t, host, &protocol.Classify{Embedding: probe[1:]}, learner.CodeBadArgument)
	refused(t, host, &protocol.Classify{Embedding: make([]float32, 128)}, learner.CodeBadArgument)
	refused(t, net, &protocol.Classify{Embedding: make([]float32, 128)}, learner.CodeBadArgument)
	probe[5] = float32(math.NaN())
	refused(t, host, &protocol.Classify{Embedding: probe}, learner.CodeBadArgument)
	refused(t, host, &protocol.Inputs{Picture: red}, learner.CodeInternal)
	refused(t, host, &protocol.Encode{Crops: make([]byte, 3)}, learner.CodeBadArgument)

	// Another embedder makes no difference.
	m := method.Default()
	m.Embedder, m.Classifier = method.Embedder{Kind: "grid"}, "nearest"
	if got := must[*protocol.ConfigureReply](t, host, &protocol.Configure{Method: m}); got.Embeds || got.Method.Classifier != "nearest" || got.Method.Embedder.Kind != "fcn" {
		t.Errorf("configured %+v", got)
	}
	if got := must[*protocol.BeginReply](t, host, &protocol.Begin{Method: m}); !got.Info.Features || got.Info.Name != "theirs" || got.Info.Nodes != 4 {
		t.Errorf("draft %+v", got)
	}
	done(t, host, &protocol.Reshape{Features: protocol.Features{Name: "theirs", Nodes: 1, Channels: 2}, Draft: true}, &protocol.AddClass{ClassID: "x", Draft: true})
	must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "x", ExampleID: "x", Embedding: []float32{1, 2}, Draft: true})
	done(t, host, new(protocol.Commit))
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Embedding: []float32{2, 3}}); got.Scores[0].ID != "x" {
		t.Errorf("scores %+v, want the draft's class", got.Scores)
	}
}

// TestShapesOfFeatures: the shape may come later, regions with it.
func TestShapesOfFeatures(t *testing.T) {
	host := new(Host)
	refused(t, host, &protocol.Init{Features: &protocol.Features{Nodes: 1, Channels: 1}}, learner.CodeBadArgument)
	refused(t, host, &protocol.Init{Features: &protocol.Features{Nodes: 2, Channels: 2, Regions: []float32{0, 0, 1, 1}}}, learner.CodeBadArgument)
	must[*protocol.InitReply](t, host, &protocol.Init{Features: new(protocol.Features)})
	done(t, host, &protocol.AddClass{ClassID: "a"})
	refused(t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Embedding: []float32{1, 2, 3, 4}}, learner.CodeBadArgument)
	refused(t, host, &protocol.Reshape{Features: protocol.Features{Nodes: 2, Channels: 2, Regions: []float32{0, 0, 1}}}, learner.CodeBadArgument)
	done(t, host, &protocol.Reshape{Features: protocol.Features{Nodes: 2, Channels: 2, Regions: []float32{0, 0, 0.25, 1, 0.25, 0, 1, 1}}})
	must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Embedding: []float32{1, 2, 4, 3}})
	why := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Embedding: []float32{1, 2, 4, 3}, Explain: true}).Explanation
	if !slices.Equal(why.Query[:4], []float32{0, 0, 0.25, 1}) || !slices.Equal(why.Support[5:9], []float32{0.25, 0, 1, 1}) {
		t.Errorf("regions %v", why.Query)
	}
	refused(t, host, &protocol.Reshape{Features: protocol.Features{Nodes: 1, Channels: 4}}, learner.CodeBadArgument)
	refused(t, started(t), &protocol.Reshape{Features: protocol.Features{Nodes: 1, Channels: 4}}, learner.CodeBadArgument)
}
