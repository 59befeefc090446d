package host

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// smallWeights returns a weights file of a network that is quick to run.
func smallWeights(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, networktest.ResNet12([]int{8, 16, 16, 32}, 32, 1).Encode(&buf, weights.F32))
	return buf.Bytes()
}

// plain returns a picture of one color, as RGB pixels.
func plain(r, g, b byte) learner.Picture {
	p := learner.Picture{Width: 16, Height: 12}
	for range p.Width * p.Height {
		p.Data = append(p.Data, r, g, b)
	}
	return p
}

var red, green, blue = plain(220, 30, 20), plain(20, 200, 40), plain(20, 30, 240)

// seeing shows a picture.
func seeing(p learner.Picture) protocol.Shown { return protocol.Shown{Picture: p} }

// knowing shows an embedding.
func knowing(values ...float32) protocol.Shown { return protocol.Shown{Embedding: values} }

func wantCode(t *testing.T, err error, code learner.Code) {
	t.Helper()
	var e *learner.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want one with code %q", err, code)
	}
}

// started returns a host with a small network.
func started(t *testing.T) *Host {
	t.Helper()
	host := new(Host)
	must[*protocol.Started](t, host, &protocol.Init{Weights: smallWeights(t)})
	return host
}

// must sends a request that succeeds.
func must[R any](t *testing.T, host *Host, req any) R {
	t.Helper()
	reply, err := host.Handle(req)
	if err != nil {
		t.Fatalf("%s: %v", protocol.Type(req), err)
	}
	got, ok := reply.(R)
	if !ok {
		t.Fatalf("%s: reply %T", protocol.Type(req), reply)
	}
	return got
}

// expect sends a request that succeeds and has an empty reply.
func expect(t *testing.T, host *Host, requests ...any) {
	t.Helper()
	for _, req := range requests {
		if reply, err := host.Handle(req); err != nil || reply != nil {
			t.Fatalf("%s: %v, %v", protocol.Type(req), reply, err)
		}
	}
}

func refused(t *testing.T, host *Host, req any, code learner.Code) {
	t.Helper()
	_, err := host.Handle(req)
	wantCode(t, err, code)
}

// TestQuestions: the host answers the requests of protocol.d.ts.
func TestQuestions(t *testing.T) {
	text := require.Value(os.ReadFile("../../npm/protocol.d.ts"))(t)
	declared := regexp.MustCompile(`(?m)^ +type: "(\w+)";`).FindAllSubmatch(text, -1)
	if len(declared) < 21 {
		t.Errorf("%d requests are declared", len(declared))
	}
	host := started(t)
	for _, name := range declared {
		request := protocol.New(string(name[1]))
		if request == nil {
			t.Errorf("nothing reads %q", name[1])
		} else if _, err := host.Handle(request); err != nil && strings.Contains(err.Error(), "no request of this type") {
			t.Errorf("nothing answers %q", name[1])
		}
	}
}

// TestProtocol goes through every request, in order, as a page would.
func TestProtocol(t *testing.T) {
	crashed := ""
	host := &Host{Crash: func(how string) { crashed = how }}
	for _, req := range []any{
		nil, new(protocol.Configure), new(protocol.Reshape), new(protocol.AddClass), new(protocol.RenameClass), new(protocol.RemoveClass), new(protocol.EnableClass),
		new(protocol.AddExample), new(protocol.RemoveExample), new(protocol.Begin), new(protocol.Commit), new(protocol.Discard),
		new(protocol.Classify), new(protocol.Explain), new(protocol.Review), new(protocol.Train),
		new(protocol.Stop), new(protocol.Inputs), new(protocol.Encode), new(protocol.Memory),
	} {
		refused(t, host, req, learner.CodeInternal)
	}
	refused(t, host, &protocol.Init{Weights: []byte("<!DOCTYPE html>")}, learner.CodeBadWeights)
	unknown := method.Default()
	unknown.Classifier = "x"
	refused(t, host, &protocol.Init{Weights: smallWeights(t), Method: unknown}, learner.CodeBadArgument)

	begun := must[*protocol.Started](t, host, &protocol.Init{Weights: smallWeights(t)})
	if info := begun.Info; info.InputSize != 32 || info.Nodes != 4 || info.Channels != 32 || info.Crops != 1 || info.Sound || !slices.Equal(info.Widths, []int{8, 16, 16, 32}) {
		t.Fatalf("info %+v", info)
	}
	if !begun.Method.Equal(method.Default()) {
		t.Errorf("method %v, want the default", begun.Method)
	}
	refused(t, host, &protocol.Init{Weights: smallWeights(t)}, learner.CodeInternal)
	refused(t, host, nil, learner.CodeInternal)
	refused(t, host, &protocol.Classify{Shown: seeing(red)}, learner.CodeEmpty)

	expect(t, host,
		&protocol.AddClass{ClassID: "r", Label: "red"},
		&protocol.AddClass{ClassID: "b", Label: "blue"},
		&protocol.RenameClass{ClassID: "b", Label: "azure"},
	)
	refused(t, host, &protocol.AddClass{ClassID: "b", Label: "again"}, learner.CodeBadArgument)
	refused(t, host, new(protocol.Review), learner.CodeEmpty)
	refused(t, host, &protocol.Embed{Shown: seeing(learner.Picture{Data: []byte("text")})}, learner.CodeBadImage)
	seen := must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "r", ExampleID: "1", Shown: seeing(red)})
	if seen.Pixels.Width != 32 || len(seen.Pixels.Pix) != 32*32*3 || len(seen.Embedding) != 4*32 || seen.Answer != nil {
		t.Fatalf("seen %+v", seen)
	}
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "b", ExampleID: "2", Shown: seeing(blue)})
	if got := must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "b", ExampleID: "3", Shown: seeing(green), Answer: true}); len(got.Answer.Scores) != 2 || got.Answer.Seen != nil {
		t.Errorf("the answer for an example is %+v, want one without its pixels", got.Answer)
	}
	expect(t, host, &protocol.RemoveExample{ExampleID: "3"})
	refused(t, host, &protocol.RemoveExample{ExampleID: "3"}, learner.CodeUnknownExample)

	said := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(blue)})
	if said.Seen != nil || said.Explanation != nil || len(said.Scores) != 2 || said.Scores[0].Label != "azure" {
		t.Errorf("answer %+v", said)
	}
	if !(said.EmbedMS > 0) || !(said.MatchMS > 0) {
		t.Errorf("took %v and %v ms", said.EmbedMS, said.MatchMS)
	}
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(blue), Pixels: true}); got.Seen.Width != 32 || len(got.Seen.Pix) != 32*32*3 {
		t.Error("no pixels although asked for")
	}
	for want, req := range map[string]*protocol.Classify{
		"2": {Shown: seeing(blue), Explain: true},
		"1": {Shown: seeing(blue), Explain: true, ClassID: "r"},
	} {
		got := must[*answer.Answer](t, host, req).Explanation
		if got == nil || got.ExampleID != want || got.From.N() != 4 || len(got.Similarity) != 4*4 {
			t.Errorf("%+v: explained by %+v, want example %s", req, got, want)
		}
	}
	if got := must[*answer.Explanation](t, host, new(protocol.Explain)); got.ClassID != "b" || got.Label != "azure" || !(math.Abs(got.Score-12.5) <= 1e-3) {
		t.Errorf("explanation %+v, want of the latest picture and its class", got)
	}
	refused(t, host, &protocol.Explain{ClassID: "x"}, learner.CodeUnknownClass)
	refused(t, host, &protocol.Classify{Shown: seeing(blue), Explain: true, ClassID: "x"}, learner.CodeUnknownClass)
	if got := must[*answer.Review](t, host, new(protocol.Review)); len(got.Examples) != 2 || got.Examples[0].ID != "1" || len(got.Classes) != 2 || !got.Estimated {
		t.Errorf("review %+v", got)
	}
	refused(t, host, new(protocol.Growth), learner.CodeEmpty)
	must[*answer.Gain](t, host, &protocol.Train{Passes: 3})
	trained := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}).Scores
	expect(t, host, new(protocol.Stop), &protocol.Stop{Job: 1}) // of no job
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}).Scores; !slices.Equal(got, trained) {
		t.Errorf("scores %v after a stop of no job, before %v", got, trained)
	}
	refused(t, host, &protocol.Train{Passes: -1}, learner.CodeBadArgument)
	if m := must[*protocol.MemoryUse](t, host, new(protocol.Memory)); m.Heap == 0 || m.Allocated < m.Heap {
		t.Errorf("memory %+v", m)
	}
	expect(t, host, &protocol.EnableClass{ClassID: "r"})
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(red)}); len(got.Scores) != 1 {
		t.Errorf("scores %+v with a class that is passed over", got.Scores)
	}
	expect(t, host, &protocol.RemoveClass{ClassID: "r"})
	refused(t, host, &protocol.RemoveClass{ClassID: "r"}, learner.CodeUnknownClass)

	expect(t, host, &protocol.Crash{How: "panic"})
	if crashed != "panic" {
		t.Errorf("crashed by %q", crashed)
	}
	host.Crash = nil
	refused(t, host, new(protocol.Crash), learner.CodeInternal)
}

// TestMethods: an engine reports its choices and its method.
func TestMethods(t *testing.T) {
	host := new(Host)
	begun := must[*protocol.Started](t, host, &protocol.Init{Weights: smallWeights(t), Method: method.Method{Classifier: "nearest"}})
	if m := begun.Method; m.Classifier != "nearest" || m.Solver != "simplex" || m.Temperature != 12.5 || m.Embedder.Kind != "fcn" {
		t.Errorf("method %v", m)
	}
	for _, list := range [][]method.Name{begun.Choices.Embedders, begun.Choices.Classifiers, begun.Choices.Weightings, begun.Choices.Solvers} {
		if len(list) < 2 || list[0].Name == "" || list[0].What == "" {
			t.Errorf("choices %+v", list)
		}
	}
	if slices.ContainsFunc(begun.Choices.Classifiers, func(c method.Name) bool { return c.Name == "sfc" }) {
		t.Error("a classifier to choose that the kit has not")
	}
	m := method.Default()
	m.Classifier, m.Temperature, m.Strangers.Name = "prototype", 20, false
	if got := must[*protocol.Configured](t, host, &protocol.Configure{Method: m}); got.Embeds || !got.Method.Equal(m) {
		t.Errorf("configured %+v", got)
	}
	expect(t, host, &protocol.AddClass{ClassID: "r"}, &protocol.AddClass{ClassID: "b"})
	for id, p := range map[string]learner.Picture{"r": red, "b": blue} {
		must[*protocol.Added](t, host, &protocol.AddExample{ClassID: id, ExampleID: id, Shown: seeing(p)})
	}
	// A picture that equals a prototype matches it perfectly.
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(red)}); got.Verdict != nil || !(math.Abs(got.Scores[0].Logit-20) <= 1e-3) {
		t.Errorf("answer %+v, want a logit of 20 and nothing of strangers", got)
	}
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(red), Unknown: true}); got.Verdict == nil || got.Unknown() || !got.Verdict.Estimated {
		t.Errorf("asked of strangers: %+v", got.Verdict)
	}
	// By another embedder every example has to be embedded again: more than this request does.
	m.Embedder = method.Embedder{Kind: "grid"}
	if got := must[*protocol.Configured](t, host, &protocol.Configure{Method: m}); !got.Embeds || got.Method.Embedder.Ratio != 2 {
		t.Errorf("configured %+v", got)
	}
	m.Embedder = method.Embedder{Kind: "grid", Ratio: -1}
	refused(t, host, &protocol.Configure{Method: m}, learner.CodeBadArgument)
	refused(t, host, &protocol.Configure{Method: method.Method{Solver: "sinkhorn:0.1"}}, learner.CodeBadArgument)
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(red)}); !(math.Abs(got.Scores[0].Logit-20) <= 1e-3) {
		t.Errorf("logit %v after what was refused", got.Scores[0].Logit)
	}
}

// TestDrafts: a draft does not answer before its commit, and never after it is discarded.
func TestDrafts(t *testing.T) {
	host := started(t)
	expect(t, host, &protocol.AddClass{ClassID: "a", Label: "red"})
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Shown: seeing(red)})
	before := slices.Clone(must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}).Scores)
	for _, req := range []any{
		&protocol.Reshape{Draft: true}, &protocol.AddClass{ClassID: "a", Draft: true}, &protocol.EnableClass{ClassID: "a", Draft: true},
		&protocol.AddExample{ClassID: "a", ExampleID: "2", Shown: seeing(red), Draft: true}, &protocol.Inputs{Picture: red, Draft: true},
		&protocol.Learn{Draft: true}, new(protocol.Commit),
	} {
		refused(t, host, req, learner.CodeInternal)
	}

	m := method.Default()
	m.Classifier, m.Embedder = "nearest", method.Embedder{Kind: "sampling", Patches: 3}
	begun := must[*protocol.Begun](t, host, &protocol.Begin{Method: m})
	if begun.Info.Crops != 3 || !begun.Method.Equal(m) {
		t.Errorf("draft %+v", begun)
	}
	// The same ids mean other things there.
	expect(t, host, &protocol.AddClass{ClassID: "a", Label: "blue", Draft: true}, &protocol.AddClass{ClassID: "b", Label: "green", Draft: true})
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Shown: seeing(blue), Draft: true})
	crops := must[*protocol.Crops](t, host, &protocol.Inputs{Picture: green, Draft: true})
	features := must[*protocol.Encoded](t, host, &protocol.Encode{Crops: crops.Pixels}).Features
	must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(red)}) // of a live page, between the two
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "b", ExampleID: "2", Shown: protocol.Shown{Features: features}, Draft: true})
	expect(t, host, &protocol.EnableClass{ClassID: "b", Draft: true})
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}); !slices.Equal(got.Scores, before) {
		t.Errorf("scores %v, before the draft %v", got.Scores, before)
	}
	expect(t, host, new(protocol.Commit))
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}); len(got.Scores) != 1 || got.Scores[0].Label != "blue" {
		t.Errorf("scores %v, want the draft's enabled class", got.Scores)
	}
	refused(t, host, new(protocol.Commit), learner.CodeInternal)

	must[*protocol.Begun](t, host, &protocol.Begin{Method: method.Default()})
	expect(t, host, &protocol.AddClass{ClassID: "c", Draft: true}, new(protocol.Discard))
	refused(t, host, &protocol.EnableClass{ClassID: "c", Draft: true}, learner.CodeInternal)
	must[*protocol.Begun](t, host, &protocol.Begin{Method: method.Default()})
	refused(t, host, &protocol.Begin{Method: method.Method{Classifier: "x"}}, learner.CodeBadArgument)
	refused(t, host, &protocol.AddClass{ClassID: "c", Draft: true}, learner.CodeInternal)
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}); got.Scores[0].Label != "blue" {
		t.Errorf("scores %v after a draft that was dropped", got.Scores)
	}
}

// TestBackground: an example of the scene belongs to no class, and is not classified.
func TestBackground(t *testing.T) {
	host := started(t)
	expect(t, host, &protocol.AddClass{ClassID: "a"}, &protocol.AddClass{ClassID: "scene", Nothing: true})
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "1", Shown: seeing(red)})
	if got := must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "scene", ExampleID: "2", Shown: seeing(green), Answer: true}); got.Answer != nil {
		t.Errorf("the answer for an example of the scene is %+v", got.Answer)
	}
	refused(t, host, &protocol.AddClass{ClassID: "scene", Nothing: true}, learner.CodeBadArgument)
	if got := must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}); len(got.Scores) != 1 {
		t.Errorf("scores %v, want that of the class alone", got.Scores)
	}
}

// TestStudy: a live answer does not wait for the learning. When it has ended, the answer is the same
// as any other.
func TestStudy(t *testing.T) {
	if done, err := new(Host).Study(); !done || err != nil {
		t.Errorf("a host that was not started: done %v, error %v", done, err)
	}
	host := started(t)
	live := func() answer.Verdict {
		return *must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green), Live: true}).Verdict
	}
	for i, p := range []learner.Picture{red, blue, plain(200, 60, 40), plain(30, 90, 200)} {
		class := string("ab"[i%2])
		if i < 2 {
			expect(t, host, &protocol.AddClass{ClassID: class})
		}
		must[*protocol.Added](t, host, &protocol.AddExample{ClassID: class, ExampleID: fmt.Sprint(i), Shown: seeing(p)})
	}
	before := *must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}).Verdict
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "more", Shown: seeing(plain(90, 90, 90))})
	host.learning = learning{model: host.learner.Model(), next: func() (struct{}, bool) { return struct{}{}, false }} // learns nothing
	if got := live(); got.Threshold != before.Threshold {
		t.Errorf("a live answer before the learning: %+v, want the earlier threshold %v", got, before.Threshold)
	}
	host.learning = learning{}
	for done := false; !done; {
		var err error
		done, err = host.Study()
		require.NoError(t, err)
	}
	got := live()
	if want := *must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}).Verdict; got != want || got.Threshold == before.Threshold {
		t.Errorf("live %+v, want %+v; before the last example %+v", got, want, before)
	}
}

// TestStudyOfAnotherModel: the learning of the model before it ends.
func TestStudyOfAnotherModel(t *testing.T) {
	host := started(t)
	ended := 0
	l := learning{model: host.learner.Model(), end: func() { ended++ }}
	expect(t, host, &protocol.AddClass{ClassID: "a"})
	m := host.learner.Model()
	for range 2 {
		if done, err := l.study(m); !done || err != nil || l.model != m || ended != 1 {
			t.Errorf("done %v, error %v, %d learnings ended; want the first to end and the second to go on", done, err, ended)
		}
	}
}

// TestMemory: the reply counts the collections since the request before it, with their longest pause.
func TestMemory(t *testing.T) {
	host := started(t)
	must[*protocol.MemoryUse](t, host, new(protocol.Memory))
	for _, others := range []uint32{0, 3} {
		for range others {
			runtime.GC()
		}
		got := must[*protocol.MemoryUse](t, host, &protocol.Memory{Collect: true})
		var stats debug.GCStats
		debug.ReadGCStats(&stats)
		later := uint32(stats.NumGC) - host.collections
		if got.Collections <= others {
			t.Fatalf("%d collections, want more than %d", got.Collections, others)
		}
		if want := slices.Max(stats.Pause[later:][:got.Collections]); got.WorstPauseMS != float64(want)/1e6 {
			t.Errorf("the longest pause took %v ms, want %v", got.WorstPauseMS, want)
		}
	}
}

// TestBadWeights: errors describe the damage of a file.
func TestBadWeights(t *testing.T) {
	good := smallWeights(t)
	wrong := networktest.ResNet12([]int{8, 16, 16, 32}, 32, 1)
	wrong.Meta.Widths = []int{8, 16, 16, 64}
	var mislabeled bytes.Buffer
	require.NoError(t, wrong.Encode(&mislabeled, weights.F32))
	poisoned := networktest.ResNet12([]int{8, 16, 16, 32}, 32, 1)
	poisoned.Tensors["encoder.layer1.0.bn1.weight"].Data[0] = float32(math.NaN())
	var nan bytes.Buffer
	_ = poisoned.Encode(&nan, weights.F32) // refusing to write them is as good
	for name, file := range map[string][]byte{
		"nothing":     nil,
		"truncated":   good[:len(good)-100],
		"header only": good[:64],
		"page":        []byte("<!DOCTYPE html><title>404</title>"),
		"mislabeled":  mislabeled.Bytes(),
		"NaN":         nan.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := learner.OpenWith(file, learner.Options{Kit: learner.CommonParts()})
			wantCode(t, err, learner.CodeBadWeights)
		})
	}
}

// TestJobs: other requests are answered during a job. A stopped job changes nothing, not even a
// training that has ended.
func TestJobs(t *testing.T) {
	host := started(t)
	for i, p := range []learner.Picture{red, blue, green, plain(200, 60, 40)} {
		class := string("ab"[i%2])
		if i < 2 {
			expect(t, host, &protocol.AddClass{ClassID: class, Label: class})
		}
		must[*protocol.Added](t, host, &protocol.AddExample{ClassID: class, ExampleID: fmt.Sprint(i), Shown: seeing(p)})
	}
	scores := func() []answer.Score {
		return must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}).Scores
	}
	before := scores()
	train := &protocol.Train{Passes: 20}
	if host.Job(1, new(protocol.Classify)) != nil {
		t.Error("an answer is a job")
	}

	last := new(protocol.Trained)
	reply, err := host.Job(1, train)(func(now any) error {
		last = now.(*protocol.Trained)
		if got := scores(); !slices.Equal(got, before) {
			t.Errorf("scores %v while the classes are learned, before %v", got, before)
		}
		return nil
	})
	if err != nil || last.Done != last.Total || reply.(*answer.Gain).Of != 0 {
		t.Fatalf("%+v, %v; the last progress is %+v", reply, err, last)
	}
	if got := scores(); slices.Equal(got, before) {
		t.Error("the training changed nothing")
	}
	expect(t, host, &protocol.Stop{Job: 1})
	if got := scores(); !slices.Equal(got, before) {
		t.Errorf("scores %v after a training that was stopped at the end, before %v", got, before)
	}

	if _, err := host.Job(2, train)(func(any) error {
		require.Value(host.Job(20, new(protocol.Learn))(func(any) error { return nil }))(t) // another, which ends first
		expect(t, host, &protocol.Stop{Job: 2})
		return nil
	}); err != errStopped {
		t.Errorf("stopped with the error %v", err)
	}
	if got := scores(); !slices.Equal(got, before) {
		t.Errorf("scores %v after a training that was stopped, before %v", got, before)
	}

	change := func(any) error {
		_, err := host.Handle(&protocol.EnableClass{ClassID: "a"})
		return err
	}
	_, err = host.Job(3, train)(change)
	wantCode(t, err, learner.CodeChanged)
	expect(t, host, &protocol.EnableClass{ClassID: "a", Enabled: true})

	changed := false
	must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "more", Shown: seeing(plain(180, 50, 60))})
	reply, err = host.Job(4, new(protocol.Growth))(func(any) error {
		if !changed {
			changed = true
			must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "a", ExampleID: "last", Shown: seeing(plain(190, 20, 90))})
		}
		return nil
	})
	if curve, ok := reply.(*answer.Curve); err != nil || !ok || curve.Points[len(curve.Points)-1].Examples != 4 {
		t.Errorf("curve %+v, %v, want that of all examples", reply, err)
	}

	for _, request := range []any{new(protocol.Learn), new(protocol.Review), new(protocol.Growth), train} {
		must[*protocol.Added](t, host, &protocol.AddExample{ClassID: "b", ExampleID: protocol.Type(request), Shown: seeing(plain(70, 50, 160))})
		_, err := host.Job(8, request)(func(any) error { return fail("no more") })
		if wantCode(t, err, learner.CodeInternal); err != nil && err.Error() != "no more" {
			t.Errorf("%s ends with %v, want the error of its progress", protocol.Type(request), err)
		}
	}

	require.Value(host.Job(5, train)(func(any) error { return nil }))(t)
	before = scores()
	if _, err := host.Job(6, train)(func(any) error { return errStopped }); err == nil {
		t.Error("a training goes on after an error of its progress")
	}
	expect(t, host, &protocol.Stop{Job: 6})
	if got := scores(); !slices.Equal(got, before) {
		t.Errorf("scores %v after a later training failed and was stopped, before %v", got, before)
	}

	require.Value(host.Job(7, train)(func(any) error { return nil }))(t)
	expect(t, host, &protocol.Stop{Job: 7}, &protocol.Stop{Job: 7})
	if got := scores(); !slices.Equal(got, before) {
		t.Errorf("scores %v after a later training was stopped twice, before %v", got, before)
	}
}

// TestTrainingThatDoesNotHelp: answers come from the layer unless the check finds no gain.
func TestTrainingThatDoesNotHelp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kept, used := 0, 0
	for range 12 {
		host := started(t)
		expect(t, host, &protocol.AddClass{ClassID: "a", Label: "a"}, &protocol.AddClass{ClassID: "b", Label: "b"})
		for i := range 8 {
			p := plain(byte(random.IntN(256)), byte(random.IntN(256)), byte(random.IntN(256)))
			must[*protocol.Added](t, host, &protocol.AddExample{ClassID: string("ab"[i%2]), ExampleID: fmt.Sprint(i), Shown: seeing(p)})
		}
		scores := func() []answer.Score {
			return must[*answer.Answer](t, host, &protocol.Classify{Shown: seeing(green)}).Scores
		}
		before := scores()
		reply := require.Value(host.Job(1, &protocol.Train{Passes: 20, Check: true})(func(any) error { return nil }))(t)
		gain := reply.(*answer.Gain)
		if gain.Of != 8 {
			t.Errorf("%+v, want 8 held-out examples", gain)
		}
		if gain.Useless() {
			kept++
		} else {
			used++
		}
		if same := slices.Equal(scores(), before); same != gain.Useless() {
			t.Errorf("%+v, and the answers are the same: %v", gain, same)
		}
	}
	if kept == 0 || used == 0 {
		t.Errorf("%d trainings do not help, %d do; want some of both", kept, used)
	}
}
