// Package networktest compares networks with PyTorch's output for the same synthetic weights and
// image.
package networktest

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Reference is PyTorch's output for an image of the given size.
type Reference struct {
	Name          string
	Tensors       map[string][]int // shapes by name
	Height, Width int
	Blocks        []Output
}

// Output is every Stride-th value of a tensor, and the root mean square of all values.
type Output struct {
	Shape  []int
	RMS    float64
	Stride int
	Values []float32
}

//go:embed testdata/*.json
var files embed.FS

// References returns the references of vision transformers, ResNets and MobileNets.
func References() []Reference {
	var all []Reference
	for _, name := range []string{"vit", "resnet", "mobilenet"} {
		raw, err := files.ReadFile("testdata/" + name + ".json")
		if err != nil {
			panic(err) // it is embedded
		}
		var some []Reference
		if err := json.Unmarshal(raw, &some); err != nil {
			panic(fmt.Sprintf("networktest: %s: %v", name, err))
		}
		all = append(all, some...)
	}
	return all
}

// Check fails if an output differs from the reference by more than a thousandth of the root mean
// square.
func (r *Reference) Check(t testing.TB, outputs []*tensor.Tensor) {
	t.Helper()
	if len(outputs) != len(r.Blocks) {
		t.Fatalf("%s: %d outputs, want %d", r.Name, len(outputs), len(r.Blocks))
	}
	for i, want := range r.Blocks {
		got := outputs[i]
		if !slices.Equal(got.Shape, want.Shape) {
			t.Fatalf("%s, block %d: shape %v, want %v", r.Name, i, got.Shape, want.Shape)
		}
		worst := 0.0
		for k, v := range want.Values {
			worst = max(worst, math.Abs(float64(got.Data[k*want.Stride]-v)))
		}
		if !(worst <= 1e-3*want.RMS) {
			t.Errorf("%s, %d×%d, block %d: off by %g of a root mean square of %g", r.Name, r.Width, r.Height, i, worst, want.RMS)
		}
		t.Logf("%s, %d×%d, block %d: off by %.1g of the root mean square", r.Name, r.Width, r.Height, i, worst/want.RMS)
	}
}

// Weights returns the synthetic tensors: hashes of the positions, with the tensors in the order of
// their names.
func (r *Reference) Weights() map[string]*tensor.Tensor {
	tensors := map[string]*tensor.Tensor{}
	for number, name := range slices.Sorted(maps.Keys(r.Tensors)) {
		shape := r.Tensors[name]
		t := tensor.New(shape...)
		fan := float64(len(t.Data)) / float64(max(1, shape[0]))
		ends := func(endings ...string) bool {
			return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
		}
		for i := range t.Data {
			h := uint32(i)*2654435761 + uint32(number)*1013904223
			h = (h ^ h>>16) * 0x85EBCA6B
			h = (h ^ h>>13) * 0xC2B2AE35
			h ^= h >> 16
			value := float64(h)/(1<<32)*2 - 1
			switch {
			case len(shape) == 1 && ends(".weight", "gamma", "running_var"):
				value = 1 + value/2
			case len(shape) > 1 && !ends("token", "tokens", "pos_embed", "pos_embedding"):
				value *= math.Sqrt(3 / fan)
			default:
				value /= 2
			}
			t.Data[i] = float32(value)
		}
		tensors[name] = t
	}
	return tensors
}

// Picture returns the center of a photograph, normalised for ImageNet, [1, H, W, 3].
func (r *Reference) Picture(t testing.TB) *tensor.Tensor {
	t.Helper()
	raw := require.Value(os.ReadFile(filepath.Join(nodetest.Root(), "web", "static", "web", "demo", "apple-1.jpg")))(t)
	img := require.Value(imaging.Decode(raw))(t)
	picture := tensor.New(1, r.Height, r.Width, 3)
	left, top := (img.Width-r.Width)/2, (img.Height-r.Height)/2
	mean, std := [3]float32{0.485, 0.456, 0.406}, [3]float32{0.229, 0.224, 0.225}
	for i := range picture.Data {
		y, x, c := i/3/r.Width, i/3%r.Width, i%3
		v := float32(img.Pix[((top+y)*img.Width+left+x)*3+c]) / 255
		picture.Data[i] = (v - mean[c]) / std[c]
	}
	return picture
}
