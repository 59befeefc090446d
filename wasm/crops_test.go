package wasm

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
)

func TestInfoOfCrops(t *testing.T) {
	encoder := &fakeEncoder{}
	e, err := New(encoder, Options{Embedder: embed.Choice{Kind: "grid"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Info(); got.Nodes != 4+9 || got.Inputs != 4+9 || got.Channels != 3 {
		t.Errorf("info %+v", got)
	}
	if encoder.forwards != 1 {
		t.Errorf("%d passes through the network to start, want 1", encoder.forwards)
	}
}

// TestEncodedElsewhere: crops that other hosts encode, some each, give the very
// answers of one that does it all; and what is seen of a picture teaches the same
// again.
func TestEncodedElsewhere(t *testing.T) {
	start := func(choice embed.Choice) *Host {
		t.Helper()
		host := &Host{}
		if _, err := host.Handle(&Request{Type: TypeInit, Weights: smallWeights(t), Options: Options{Embedder: choice}}); err != nil {
			t.Fatal(err)
		}
		return host
	}
	must := func(host *Host, req Request) Reply {
		t.Helper()
		reply, err := host.Handle(&req)
		if err != nil {
			t.Fatalf("%s: %v", req.Type, err)
		}
		return reply
	}
	for _, choice := range []embed.Choice{{Kind: "grid"}, {Kind: "sampling", Patches: 5, Seed: 9}} {
		alone, led, helper := start(choice), start(choice), start(embed.Choice{})
		// A picture whose crops are encoded by two.
		shared := func(p Picture) Picture {
			in := must(led, Request{Type: TypeInputs, Picture: p}).Inputs
			size := in.Size * in.Size * 3
			if in.Size != 32 || len(in.Pixels) != in.N*size {
				t.Fatalf("%d crops of %d pixels in %d bytes", in.N, in.Size, len(in.Pixels))
			}
			var features []float32
			for i, host := range []*Host{led, helper} {
				part := [][]byte{in.Pixels[:2*size], in.Pixels[2*size:]}[i]
				features = append(features, must(host, Request{Type: TypeEncode, Crops: part}).Features...)
			}
			return Picture{Features: features}
		}
		again := start(choice)
		for id, p := range map[string]Picture{"r": red, "b": blue} {
			for _, host := range []*Host{alone, led, again} {
				must(host, Request{Type: TypeAddClass, ClassID: id, Label: id})
			}
			want := must(alone, Request{Type: TypeAddExample, ClassID: id, ExampleID: id, Picture: p}).Picture
			got := must(led, Request{Type: TypeAddExample, ClassID: id, ExampleID: id, Picture: shared(p)}).Picture
			if got.Width != want.Width || !slices.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: other pixels are seen", choice.Kind)
			}
			must(again, Request{Type: TypeAddExample, ClassID: id, ExampleID: id,
				Picture: Picture{Width: want.Width, Height: want.Height, Data: want.Pix}})
		}
		want := slices.Clone(must(alone, Request{Type: TypeClassify, Picture: green}).Answer.Scores)
		if got := must(led, Request{Type: TypeClassify, Picture: shared(green)}).Answer.Scores; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", choice.Kind, got, want)
		}
		if got := must(again, Request{Type: TypeClassify, Picture: green}).Answer.Scores; !slices.Equal(got, want) {
			t.Errorf("%s, taught by what was seen: %v, want %v", choice.Kind, got, want)
		}
	}
}

func TestEncodedElsewhereErrors(t *testing.T) {
	grid := newEngine(t, Options{Embedder: embed.Choice{Kind: "grid", Grid: []int{2}}})
	teach(t, grid, "red", red)
	classify := func(e *Engine, features int) error {
		_, _, err := e.Classify(Picture{Features: make([]float32, features)})
		return err
	}
	inputs := func(e *Engine, p Picture) error {
		_, err := e.Inputs(p)
		return err
	}
	encode := func(bytes int) error {
		_, err := grid.Encode(make([]byte, bytes))
		return err
	}
	for _, c := range []struct {
		name, want string
		code       Code
		err        error
	}{
		{"features out of nothing", "without a request for inputs", CodeInternal, classify(grid, 12)},
		{"no picture", "", CodeBadImage, inputs(grid, Picture{Data: []byte("letter")})},
		{"fcn", "no crops", CodeInternal, inputs(newEngine(t, Options{}), red)},
		{"no crop", "0 bytes", CodeInternal, encode(0)},
		{"half a crop", "multiple of 192", CodeInternal, encode(100)},
		{"inputs", "", "", inputs(grid, red)},
		{"too few features", "want 3 of each of 4 crops", CodeInternal, classify(grid, 11)},
		{"features", "", "", classify(grid, 12)},
		{"features again", "without a request", CodeInternal, classify(grid, 12)},
	} {
		if c.code == "" {
			if c.err != nil {
				t.Errorf("%s: %v", c.name, c.err)
			}
			continue
		}
		wantCode(t, c.err, c.code)
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, c.err, c.want)
		}
	}
}
