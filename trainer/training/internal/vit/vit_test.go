package vit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/training/internal/gradienttest"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
)

// files are of networks as DINOv2 has them, with registers and another resampling, and
// with as little as there can be.
func files() map[string]*weights.File {
	registers := networktest.Transformer()
	registers.Tensors["encoder.register_tokens"] = tensor.New(1, 4, 128)
	for i := range registers.Tensors["encoder.register_tokens"].Data {
		registers.Tensors["encoder.register_tokens"].Data[i] = float32(math.Sin(float64(i)))
	}
	registers.Meta.Extra[backbone.KeyPositions] = backbone.Antialias
	plain := networktest.Transformer()
	for name := range plain.Tensors {
		if strings.HasSuffix(name, "gamma") || strings.HasSuffix(name, "cls_token") || strings.HasSuffix(name, "qkv.bias") {
			delete(plain.Tensors, name)
		}
	}
	places := plain.Tensors["encoder.pos_embed"]
	plain.Tensors["encoder.pos_embed"] = tensor.Of(places.Data[128:], 1, 36, 128)
	return map[string]*weights.File{"DINOv2": networktest.Transformer(), "registers": registers, "plain": plain}
}

// load returns the network of a file.
func load(t *testing.T, f *weights.File, threads int) *Network {
	t.Helper()
	plan, err := Of(f)
	if err != nil {
		t.Fatal(err)
	}
	n := New(plan, 1, threads, nil)
	if err := layer.Import(f, n.Params(), n.Norms()); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAgreesWithInference holds the network to what core/backbone computes of the same file,
// and of what is exported again, at the size of its positions and at others.
func TestAgreesWithInference(t *testing.T) {
	for name, f := range files() {
		n := load(t, f, 2)
		again := &weights.File{Meta: weights.Meta{Name: "again"}, Tensors: map[string]*tensor.Tensor{}}
		n.Describe(&again.Meta)
		layer.Export(again, n.Params(), n.Norms())
		if len(again.Tensors) != len(f.Tensors) {
			t.Errorf("%s: %d tensors are exported, want %d", name, len(again.Tensors), len(f.Tensors))
		}
		for _, size := range []int{84, 56, 112} {
			batch := resnettest.Pictures(3, size, 4)
			got := n.Forward(batch, nil).Tensor()
			for _, file := range []*weights.File{f, again} {
				net, err := backbone.NewViT(file, backbone.Options{Threads: 1})
				if err != nil {
					t.Fatal(err)
				}
				want, err := net.Forward(batch)
				if err != nil {
					t.Fatal(err)
				}
				off, square := 0.0, 0.0
				for i, v := range want.Data {
					off += float64(got.Data[i]-v) * float64(got.Data[i]-v)
					square += float64(v) * float64(v)
				}
				if !(math.Sqrt(off/square) <= 1e-5) {
					t.Errorf("%s, %d px: off by %.2g of the root mean square", name, size, math.Sqrt(off/square))
				}
			}
		}
	}
}

// TestGradientIsTheSlope steps along the gradient of each weight: the loss must change by
// its square times the step.
func TestGradientIsTheSlope(t *testing.T) {
	for name, f := range files() {
		n := load(t, f, 2)
		batch := resnettest.Pictures(3, 56, 3)
		r := rand.New(rand.NewPCG(1, 1))
		upstream := make([]float32, 3*4*4*128)
		for i := range upstream {
			upstream[i] = float32(r.NormFloat64())
		}
		loss := func() float64 {
			sum := 0.0
			for i, v := range n.Forward(batch, nil).Tensor().Data {
				sum += float64(v) * float64(upstream[i])
			}
			return sum
		}
		loss()
		n.Backward(upstream)
		t.Run(name, func(t *testing.T) { gradienttest.IsTheSlope(t, n.Params(), loss, 1e-2) })
	}
}

func TestStepsDoNotDependOnThreads(t *testing.T) {
	for name, f := range files() {
		gradients := func(threads int) (all []float32) {
			n := load(t, f, threads)
			m := n.Forward(resnettest.Pictures(5, 56, 6), nil)
			n.Backward(m.Tensor().Data)
			for _, p := range n.Params() {
				all = append(all, p.Grad...)
			}
			return all
		}
		want := gradients(1)
		for i, v := range gradients(3) {
			if v != want[i] {
				t.Fatalf("%s: gradient %d is %g on three threads, %g on one", name, i, v, want[i])
			}
		}
	}
}

func TestPlansAreChecked(t *testing.T) {
	good := Plan{Channels: 384, Hidden: 1536, Heads: 6, Depth: 12, Patch: 14, Places: 8, Class: true, Positions: backbone.Offset}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(p *Plan){
		"width": func(p *Plan) { p.Channels = 0 }, "heads": func(p *Plan) { p.Heads = 5 }, "depth": func(p *Plan) { p.Depth = 1000 },
		"patch": func(p *Plan) { p.Patch = 0 }, "places": func(p *Plan) { p.Places = 0 }, "registers": func(p *Plan) { p.Registers = -1 },
		"perceptron": func(p *Plan) { p.Hidden = 1530 }, "layer_scale": func(p *Plan) { p.Scale = math.NaN() }, "nearest": func(p *Plan) { p.Positions = "nearest" },
	} {
		p := good
		spoil(&p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	if err := good.Fits(100); err == nil || !strings.Contains(err.Error(), "such as 98") || good.Fits(112) != nil {
		t.Errorf("of pictures of 100 pixels: %v", err)
	}
	// 21.7 million weights but for biases, three times.
	if m := good.Memory(0, 0) / 12; math.Abs(m-21.5e6) > 0.1e6 {
		t.Errorf("%.0f weights", m)
	}
}
