package wasm

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// smallWeights is a weights file of a network that is quick to run.
func smallWeights(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := resnettest.Weights([]int{8, 16, 16, 32}, 32, 1).Encode(&buf, weights.F32); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// plain is a picture of one colour, as RGB pixels.
func plain(r, g, b byte) learner.Picture {
	p := learner.Picture{Width: 16, Height: 12}
	for range p.Width * p.Height {
		p.Data = append(p.Data, r, g, b)
	}
	return p
}

var red, green, blue = plain(220, 30, 20), plain(20, 200, 40), plain(20, 30, 240)

func wantCode(t *testing.T, err error, code learner.Code) {
	t.Helper()
	var e *learner.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want one with code %q", err, code)
	}
}

// started is a host with a small network.
func started(t *testing.T) *Host {
	t.Helper()
	host := new(Host)
	must[*protocol.InitReply](t, host, &protocol.Init{Weights: smallWeights(t)})
	return host
}

// must sends a request that succeeds.
func must[R protocol.Reply](t *testing.T, host *Host, req protocol.Request) R {
	t.Helper()
	reply, err := host.Handle(req)
	if err != nil {
		t.Fatalf("%s: %v", req.Type(), err)
	}
	got, ok := reply.(R)
	if !ok {
		t.Fatalf("%s: reply %T", req.Type(), reply)
	}
	return got
}

// done sends a request that succeeds and has an empty reply.
func done(t *testing.T, host *Host, requests ...protocol.Request) {
	t.Helper()
	for _, req := range requests {
		if reply, err := host.Handle(req); err != nil || reply != nil {
			t.Fatalf("%s: %v, %v", req.Type(), reply, err)
		}
	}
}

func refused(t *testing.T, host *Host, req protocol.Request, code learner.Code) {
	t.Helper()
	_, err := host.Handle(req)
	wantCode(t, err, code)
}

// TestProtocol goes through every request, in order, as a page would.
func TestProtocol(t *testing.T) {
	crashed := ""
	host := &Host{Crash: func(how string) { crashed = how }}
	for _, req := range []protocol.Request{
		nil, new(protocol.Configure), new(protocol.Reshape), new(protocol.AddClass), new(protocol.RenameClass), new(protocol.RemoveClass), new(protocol.EnableClass),
		new(protocol.AddExample), new(protocol.RemoveExample), new(protocol.Begin), new(protocol.Commit), new(protocol.Discard),
		new(protocol.Classify), new(protocol.Explain), new(protocol.Review), new(protocol.Train), new(protocol.TrainSlice),
		new(protocol.StopTraining), new(protocol.Inputs), new(protocol.Encode), new(protocol.Memory),
	} {
		refused(t, host, req, learner.CodeInternal) // before init
	}
	refused(t, host, &protocol.Init{Weights: []byte("<!DOCTYPE html>")}, learner.CodeBadWeights)
	unknown := method.Default()
	unknown.Classifier = "x"
	refused(t, host, &protocol.Init{Weights: smallWeights(t), Method: unknown}, learner.CodeBadArgument)

	begun := must[*protocol.InitReply](t, host, &protocol.Init{Weights: smallWeights(t)})
	if info := begun.Info; info.InputSize != 32 || info.Nodes != 4 || info.Channels != 32 || info.Crops != 1 || info.Sound || !slices.Equal(info.Widths, []int{8, 16, 16, 32}) {
		t.Fatalf("info %+v", info)
	}
	if !begun.Method.Equal(method.Default()) {
		t.Errorf("method %v, want the default", begun.Method)
	}
	refused(t, host, &protocol.Init{Weights: smallWeights(t)}, learner.CodeInternal)
	refused(t, host, nil, learner.CodeInternal)
	refused(t, host, &protocol.Classify{Picture: red}, learner.CodeEmpty)

	done(t, host,
		&protocol.AddClass{ClassID: "r", Label: "red"},
		&protocol.AddClass{ClassID: "b", Label: "blue"},
		&protocol.RenameClass{ClassID: "b", Label: "azure"},
	)
	seen := must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "r", ExampleID: "1", Picture: red})
	if seen.Size != 32 || len(seen.Pixels) != 32*32*3 || len(seen.Embedding) != 4*32 || seen.Scores != nil {
		t.Fatalf("seen %+v", seen)
	}
	must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "b", ExampleID: "2", Picture: blue})
	if got := must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "b", ExampleID: "3", Picture: green, Answer: true}); len(got.Scores) != 2 {
		t.Errorf("the answer for an example is %+v", got.Scores)
	}
	done(t, host, &protocol.RemoveExample{ExampleID: "3"})
	refused(t, host, &protocol.RemoveExample{ExampleID: "3"}, learner.CodeUnknownExample)

	answer := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: blue})
	if answer.Pixels != nil || answer.Explanation != nil || len(answer.Scores) != 2 || answer.Scores[0].Label != "azure" {
		t.Errorf("answer %+v", answer)
	}
	if !(answer.EmbedMS > 0) || !(answer.MatchMS > 0) {
		t.Errorf("took %v and %v ms", answer.EmbedMS, answer.MatchMS)
	}
	// A picture that equals a prototype matches it perfectly.
	if got := answer.Scores[0].Logit; math.Abs(got-12.5) > 1e-3 {
		t.Errorf("logit %v, want 12.5", got)
	}
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: blue, Pixels: true}); got.Size != 32 || len(got.Pixels) != 32*32*3 {
		t.Error("no pixels although asked for")
	}
	for want, req := range map[string]*protocol.Classify{
		"2": {Picture: blue, Explain: true},
		"1": {Picture: blue, Explain: true, ClassID: "r"},
	} {
		got := must[*protocol.ClassifyReply](t, host, req).Explanation
		if got == nil || got.ExampleID != want || len(got.Query) != 4*5 || len(got.Flow) != 4*4 {
			t.Errorf("%+v: explained by %+v, want example %s", req, got, want)
		}
	}
	if got := must[*protocol.ExplainReply](t, host, new(protocol.Explain)).Explanation; got.ClassID != "b" || got.Label != "azure" || math.Abs(got.Score-12.5) > 1e-3 {
		t.Errorf("explanation %+v, want of the latest picture and its class", got)
	}
	refused(t, host, &protocol.Explain{ClassID: "x"}, learner.CodeUnknownClass)
	refused(t, host, &protocol.Classify{Picture: blue, Explain: true, ClassID: "x"}, learner.CodeUnknownClass)
	if got := must[*protocol.ReviewReply](t, host, new(protocol.Review)).Review; len(got.Examples) != 2 || got.Examples[0].ID != "1" || len(got.Classes) != 2 || !got.Estimated {
		t.Errorf("review %+v", got)
	}
	refused(t, host, &protocol.Growth{MS: 1}, learner.CodeEmpty)
	refused(t, host, &protocol.TrainSlice{MS: 1}, learner.CodeChanged)
	if got := must[*protocol.TrainReply](t, host, &protocol.Train{Passes: 3}).Trained; got.Total != 3 || got.Done != 0 {
		t.Errorf("learning begins with %+v", got)
	}
	if got := must[*protocol.TrainSliceReply](t, host, &protocol.TrainSlice{MS: 10_000}).Trained; !got.Finished || got.Done != 3 {
		t.Errorf("learning ends with %+v", got)
	}
	done(t, host, new(protocol.StopTraining))
	if m := must[*protocol.MemoryReply](t, host, new(protocol.Memory)); m.Heap == 0 || m.Allocated < m.Heap {
		t.Errorf("memory %+v", m)
	}
	done(t, host, &protocol.EnableClass{ClassID: "r"})
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: red}); len(got.Scores) != 1 {
		t.Errorf("scores %+v with a class that is passed over", got.Scores)
	}
	done(t, host, &protocol.RemoveClass{ClassID: "r"})
	refused(t, host, &protocol.RemoveClass{ClassID: "r"}, learner.CodeUnknownClass)

	done(t, host, &protocol.Crash{How: "panic"})
	if crashed != "panic" {
		t.Errorf("crashed by %q", crashed)
	}
	host.Crash = nil
	refused(t, host, new(protocol.Crash), learner.CodeInternal)
}

// TestMethods: an engine says what it can be told, and how it recognises.
func TestMethods(t *testing.T) {
	host := new(Host)
	begun := must[*protocol.InitReply](t, host, &protocol.Init{Weights: smallWeights(t), Method: method.Method{Classifier: "nearest"}})
	if m := begun.Method; m.Classifier != "nearest" || m.Solver != "simplex" || m.Temperature != 12.5 || m.Embedder.Kind != "fcn" {
		t.Errorf("method %v", m)
	}
	for _, list := range [][]protocol.Choice{begun.Choices.Embedders, begun.Choices.Classifiers, begun.Choices.Weightings, begun.Choices.Solvers} {
		if len(list) < 2 || list[0].Name == "" || list[0].What == "" {
			t.Errorf("choices %+v", list)
		}
	}
	if slices.ContainsFunc(begun.Choices.Classifiers, func(c protocol.Choice) bool { return c.Name == "sfc" }) {
		t.Error("a classifier to choose that the kit has not")
	}
	m := method.Default()
	m.Temperature, m.Strangers.Name = 20, false
	if got := must[*protocol.ConfigureReply](t, host, &protocol.Configure{Method: m}); got.Embeds || !got.Method.Equal(m) {
		t.Errorf("configured %+v", got)
	}
	done(t, host, &protocol.AddClass{ClassID: "r"}, &protocol.AddClass{ClassID: "b"})
	for id, p := range map[string]learner.Picture{"r": red, "b": blue} {
		must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: id, ExampleID: id, Picture: p})
	}
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: red}); got.Unknown != nil || math.Abs(got.Scores[0].Logit-20) > 1e-3 {
		t.Errorf("answer %+v, want a logit of 20 and nothing of strangers", got)
	}
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: red, Unknown: true}); got.Unknown == nil || got.Unknown.Unknown || !got.Unknown.Estimated {
		t.Errorf("asked of strangers: %+v", got.Unknown)
	}
	// By another embedder every example has to be embedded again: more than this request does.
	m.Embedder = method.Embedder{Kind: "grid"}
	if got := must[*protocol.ConfigureReply](t, host, &protocol.Configure{Method: m}); !got.Embeds || got.Method.Embedder.Ratio != 2 {
		t.Errorf("configured %+v", got)
	}
	m.Embedder = method.Embedder{Kind: "grid", Ratio: -1}
	refused(t, host, &protocol.Configure{Method: m}, learner.CodeBadArgument)
	refused(t, host, &protocol.Configure{Method: method.Method{Solver: "sinkhorn:0.1"}}, learner.CodeBadArgument)
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: red}); math.Abs(got.Scores[0].Logit-20) > 1e-3 {
		t.Errorf("logit %v after what was refused", got.Scores[0].Logit)
	}
}

// TestDrafts: what is being laid out beside does not answer before it is put in place,
// and never where it is dropped.
func TestDrafts(t *testing.T) {
	host := started(t)
	done(t, host, &protocol.AddClass{ClassID: "a", Label: "red"})
	must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Picture: red})
	before := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: green})
	refused(t, host, &protocol.AddClass{ClassID: "a", Draft: true}, learner.CodeInternal)
	refused(t, host, new(protocol.Commit), learner.CodeInternal)

	m := method.Default()
	m.Classifier, m.Embedder = "nearest", method.Embedder{Kind: "sampling", Patches: 3}
	begun := must[*protocol.BeginReply](t, host, &protocol.Begin{Method: m})
	if begun.Info.Crops != 3 || !begun.Method.Equal(m) {
		t.Errorf("draft %+v", begun)
	}
	// The same ids mean other things there.
	done(t, host, &protocol.AddClass{ClassID: "a", Label: "blue", Draft: true}, &protocol.AddClass{ClassID: "b", Label: "green", Draft: true})
	must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Picture: blue, Draft: true})
	crops := must[*protocol.InputsReply](t, host, &protocol.Inputs{Picture: green, Draft: true})
	features := must[*protocol.EncodeReply](t, host, &protocol.Encode{Crops: crops.Pixels}).Features
	must[*protocol.AddExampleReply](t, host, &protocol.AddExample{ClassID: "b", ExampleID: "2", Features: features, Draft: true})
	done(t, host, &protocol.EnableClass{ClassID: "b", Draft: true})
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: green}); !slices.Equal(got.Scores, before.Scores) {
		t.Errorf("scores %v, before the draft %v", got.Scores, before.Scores)
	}
	done(t, host, new(protocol.Commit))
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: green}); len(got.Scores) != 1 || got.Scores[0].Label != "blue" {
		t.Errorf("scores %v, want the draft's enabled class", got.Scores)
	}
	refused(t, host, new(protocol.Commit), learner.CodeInternal)

	must[*protocol.BeginReply](t, host, &protocol.Begin{Method: method.Default()})
	done(t, host, &protocol.AddClass{ClassID: "c", Draft: true}, new(protocol.Discard))
	refused(t, host, &protocol.EnableClass{ClassID: "c", Draft: true}, learner.CodeInternal)
	refused(t, host, &protocol.Begin{Method: method.Method{Classifier: "x"}}, learner.CodeBadArgument)
	if got := must[*protocol.ClassifyReply](t, host, &protocol.Classify{Picture: green}); got.Scores[0].Label != "blue" {
		t.Errorf("scores %v after a draft that was dropped", got.Scores)
	}
}

// TestBadWeights: whatever is wrong with a file, the answer says so.
func TestBadWeights(t *testing.T) {
	good := smallWeights(t)
	wrong := resnettest.Weights([]int{8, 16, 16, 32}, 32, 1)
	wrong.Meta.Widths = []int{8, 16, 16, 64}
	var mislabelled bytes.Buffer
	if err := wrong.Encode(&mislabelled, weights.F32); err != nil {
		t.Fatal(err)
	}
	poisoned := resnettest.Weights([]int{8, 16, 16, 32}, 32, 1)
	poisoned.Tensors["encoder.layer1.0.bn1.weight"].Data[0] = float32(math.NaN())
	var nan bytes.Buffer
	_ = poisoned.Encode(&nan, weights.F32) // refusing to write them is as good
	for name, file := range map[string][]byte{
		"nothing":     nil,
		"truncated":   good[:len(good)-100],
		"header only": good[:64],
		"page":        []byte("<!DOCTYPE html><title>404</title>"),
		"mislabelled": mislabelled.Bytes(),
		"NaN":         nan.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := learner.OpenWith(file, learner.Options{Kit: learner.CommonParts()})
			wantCode(t, err, learner.CodeBadWeights)
		})
	}
}
