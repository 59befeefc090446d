package wasm

import (
	"bytes"
	"errors"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/parts"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/resnettest"
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

// TestProtocol goes through every request, in order, as a page would.
func TestProtocol(t *testing.T) {
	crashed := ""
	host := &Host{Crash: func(how string) { crashed = how }}
	must := func(req Request) Reply {
		t.Helper()
		reply, err := host.Handle(&req)
		if err != nil {
			t.Fatalf("%s: %v", req.Type, err)
		}
		return reply
	}
	refused := func(req Request, code learner.Code) {
		t.Helper()
		_, err := host.Handle(&req)
		wantCode(t, err, code)
	}

	for _, typ := range []string{
		TypeAddClass, TypeRenameClass, TypeRemoveClass, TypeAddExample, TypeRemoveExample, TypeClassify, TypeExplain, TypeMemory, TypeTrain, TypeTrainSlice, TypeStopTraining, TypeInputs, TypeEncode, "nonsense", "",
	} {
		refused(Request{Type: typ}, learner.CodeInternal) // before init
	}
	refused(Request{Type: TypeInit, Weights: []byte("<!DOCTYPE html>")}, learner.CodeBadWeights)
	refused(Request{Type: TypeInit, Weights: smallWeights(t), Options: Options{Method: method.Method{Classifier: "x"}}}, learner.CodeBadArgument)

	info := must(Request{Type: TypeInit, Weights: smallWeights(t)}).Info
	if info == nil || info.InputSize != 32 || info.Nodes != 4 || info.Channels != 32 || !slices.Equal(info.Widths, []int{8, 16, 16, 32}) {
		t.Fatalf("info %+v", info)
	}
	refused(Request{Type: TypeInit, Weights: smallWeights(t)}, learner.CodeInternal)
	refused(Request{Type: "nonsense"}, learner.CodeInternal)
	refused(Request{Type: TypeClassify, Picture: red}, learner.CodeEmpty)

	must(Request{Type: TypeAddClass, ClassID: "r", Label: "red"})
	must(Request{Type: TypeAddClass, ClassID: "b", Label: "blue"})
	must(Request{Type: TypeRenameClass, ClassID: "b", Label: "azure"})
	seen := must(Request{Type: TypeAddExample, ClassID: "r", ExampleID: "1", Picture: red}).Picture
	if seen == nil || seen.Width != 32 || len(seen.Pix) != 32*32*3 {
		t.Fatalf("seen %+v", seen)
	}
	must(Request{Type: TypeAddExample, ClassID: "b", ExampleID: "2", Picture: blue})
	if got := must(Request{Type: TypeAddExample, ClassID: "b", ExampleID: "3", Picture: green, Answer: true}).Answer; got == nil || len(got.Scores) != 2 {
		t.Errorf("the answer for an example is %+v", got)
	}
	must(Request{Type: TypeRemoveExample, ExampleID: "3"})
	refused(Request{Type: TypeRemoveExample, ExampleID: "3"}, learner.CodeUnknownExample)

	reply := must(Request{Type: TypeClassify, Picture: blue})
	if reply.Picture != nil || len(reply.Answer.Scores) != 2 || reply.Answer.Scores[0].Label != "azure" {
		t.Errorf("answer %+v, picture %v", reply.Answer, reply.Picture)
	}
	if !(reply.Answer.EmbedMS > 0) || !(reply.Answer.MatchMS > 0) {
		t.Errorf("took %v and %v ms", reply.Answer.EmbedMS, reply.Answer.MatchMS)
	}
	// A picture that equals a prototype matches it perfectly.
	if got := reply.Answer.Scores[0].Logit; math.Abs(got-12.5) > 1e-3 {
		t.Errorf("logit %v, want 12.5", got)
	}
	if reply := must(Request{Type: TypeClassify, Picture: blue, Pixels: true}); reply.Picture == nil {
		t.Error("no pixels although asked for")
	}
	if reply := must(Request{Type: TypeClassify, Picture: blue}); reply.Explanation != nil {
		t.Error("an explanation that nobody asked for")
	}
	for want, req := range map[string]Request{
		"2": {Type: TypeClassify, Picture: blue, Explain: true},
		"1": {Type: TypeClassify, Picture: blue, Explain: true, ClassID: "r"},
	} {
		if got := must(req).Explanation; got == nil || got.ExampleID != want {
			t.Errorf("%+v: explained by %+v, want example %s", req, got, want)
		}
	}
	if got := must(Request{Type: TypeExplain}).Explanation; got.ClassID != "b" || got.Label != "azure" || math.Abs(got.Score-12.5) > 1e-3 {
		t.Errorf("explanation %+v, want of the latest picture and its class", got)
	}
	refused(Request{Type: TypeExplain, ClassID: "x"}, learner.CodeUnknownClass)
	refused(Request{Type: TypeClassify, Picture: blue, Explain: true, ClassID: "x"}, learner.CodeUnknownClass)
	refused(Request{Type: TypeTrainSlice, SliceMS: 1}, learner.CodeChanged)
	if got := must(Request{Type: TypeTrain, Train: learner.Train{Passes: 3}}).Trained; got.Total != 3 || got.Done != 0 {
		t.Errorf("learning begins with %+v", got)
	}
	if got := must(Request{Type: TypeTrainSlice, SliceMS: 10_000}).Trained; !got.Finished || got.Done != 3 {
		t.Errorf("learning ends with %+v", got)
	}
	must(Request{Type: TypeStopTraining})
	if m := must(Request{Type: TypeMemory}).Memory; m.Heap == 0 || m.Allocated < m.Heap {
		t.Errorf("memory %+v", m)
	}
	must(Request{Type: TypeRemoveClass, ClassID: "r"})
	refused(Request{Type: TypeRemoveClass, ClassID: "r"}, learner.CodeUnknownClass)

	must(Request{Type: TypeCrash, How: "panic"})
	if crashed != "panic" {
		t.Errorf("crashed by %q", crashed)
	}
	host.Crash = nil
	refused(Request{Type: TypeCrash}, learner.CodeInternal)
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
			_, err := learner.Open(file, learner.Options{Kit: parts.Common()})
			wantCode(t, err, learner.CodeBadWeights)
		})
	}
}

// TestTypesFileAgrees: the JavaScript side's list of requests and codes is this
// one, and its version too.
func TestTypesFileAgrees(t *testing.T) {
	types := read(t, "npm/deepemd.d.ts")
	for _, typ := range []string{
		TypeInit, TypeAddClass, TypeRenameClass, TypeRemoveClass, TypeAddExample, TypeRemoveExample, TypeClassify, TypeExplain, TypeMemory, TypeTrain, TypeTrainSlice, TypeStopTraining, TypeInputs, TypeEncode, TypeCrash,
	} {
		if !regexp.MustCompile(`type: "` + typ + `"`).MatchString(types) {
			t.Errorf("deepemd.d.ts has no request %q", typ)
		}
	}
	for _, code := range []learner.Code{
		learner.CodeBadImage, learner.CodeBadWeights, learner.CodeBadArgument, learner.CodeEmpty, learner.CodeUnknownClass, learner.CodeUnknownExample, learner.CodeInternal,
	} {
		if !strings.Contains(types, `| "`+string(code)+`"`) {
			t.Errorf("deepemd.d.ts has no error code %q", code)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
