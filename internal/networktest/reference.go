// Package networktest makes networks with random weights, for tests and benchmarks, and compares
// networks with PyTorch's output for the same synthetic weights and image.
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
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
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

// Picture returns the center of a photograph, normalized for ImageNet, [1, H, W, 3].
func (r *Reference) Picture(t testing.TB) *tensor.Tensor {
	t.Helper()
	raw := require.Value(os.ReadFile(filepath.Join(nodetest.Root(), "internal", "networktest", "testdata", "apple.jpg")))(t)
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

// Transformer returns a small vision transformer with synthetic weights and 14-pixel patches.
func Transformer() *weights.File { return transformer(128, 256, 2, 2, 6) }

// TransformerS returns one of the size of ViT-S, with positions for 112 pixels.
func TransformerS() *weights.File { return transformer(384, 4*384, 12, 6, 8) }

func transformer(c, wide, depth, heads, side int) *weights.File {
	places := 1 + side*side
	r := Reference{Tensors: map[string][]int{
		"cls_token": {1, 1, c}, "pos_embed": {1, places, c}, "patch_embed.proj.weight": {c, 3, 14, 14}, "patch_embed.proj.bias": {c},
		"norm.weight": {c}, "norm.bias": {c},
	}}
	for i := range depth {
		for name, shape := range map[string][]int{
			"norm1.weight": {c}, "norm1.bias": {c}, "attn.qkv.weight": {3 * c, c}, "attn.qkv.bias": {3 * c},
			"attn.proj.weight": {c, c}, "attn.proj.bias": {c}, "ls1.gamma": {c}, "norm2.weight": {c}, "norm2.bias": {c},
			"mlp.fc1.weight": {wide, c}, "mlp.fc1.bias": {wide}, "mlp.fc2.weight": {c, wide}, "mlp.fc2.bias": {c}, "ls2.gamma": {c},
		} {
			r.Tensors[fmt.Sprintf("blocks.%d.%s", i, name)] = shape
		}
	}
	return r.file("vit", []int{c}, 14*side, map[string]string{"heads": strconv.Itoa(heads), "positions": "offset"})
}

// Residual returns a small ResNet with synthetic weights, two blocks in the second stage and
// optionally a bottleneck in the last.
func Residual(bottleneck bool) *weights.File {
	widths := []int{16, 16, 32, 48}
	r := Reference{Tensors: map[string][]int{}}
	conv := r.convolution
	conv("conv1", "bn1", 16, 3, 7)
	in := 16
	for stage, out := range widths {
		blocks := 1
		if stage == 1 {
			blocks = 2
		}
		for i := range blocks {
			at := fmt.Sprintf("layer%d.%d.", stage+1, i)
			if stage == 3 && bottleneck {
				conv(at+"conv1", at+"bn1", 8, in, 1)
				conv(at+"conv2", at+"bn2", 8, 8, 3)
				conv(at+"conv3", at+"bn3", out, 8, 1)
			} else {
				conv(at+"conv1", at+"bn1", out, in, 3)
				conv(at+"conv2", at+"bn2", out, out, 3)
			}
			if stage > 0 && i == 0 {
				conv(at+"downsample.0", at+"downsample.1", out, in, 1)
			}
			in = out
		}
	}
	return r.file("resnet", widths, 64, nil)
}

// convolution adds the tensors of a convolution of k×k and its normalization.
func (r *Reference) convolution(conv, norm string, out, in, k int) {
	r.Tensors[conv+".weight"] = []int{out, in, k, k}
	for _, name := range []string{"weight", "bias", "running_mean", "running_var"} {
		r.Tensors[norm+"."+name] = []int{out}
	}
}

func (r *Reference) file(arch string, widths []int, size int, extra map[string]string) *weights.File {
	f := &weights.File{
		Source: "a made-up " + arch, Tensors: map[string]*tensor.Tensor{},
		Meta: weights.Meta{
			Arch: arch, Name: "made-up", Widths: widths, InputSize: size, Mean: [3]float32{0.5, 0.5, 0.5}, Std: [3]float32{0.25, 0.25, 0.25},
			Extra: maps.Clone(extra),
		},
	}
	for name, tensor := range r.Weights() {
		f.Tensors["encoder."+name] = tensor
	}
	return f
}

// MobileNet returns a small MobileNetV3 with synthetic weights, whose blocks alternate between 3×3
// and 5×5 filters.
func MobileNet() *weights.File {
	const c, wide, squeezed, last = 16, 24, 8, 40
	r := Reference{Tensors: map[string][]int{}}
	conv := func(at string, out, in, k int) {
		r.convolution("features."+at+"0", "features."+at+"1", out, in, k)
	}
	conv("0.", c, 3, 3)
	for i := range 11 {
		at := fmt.Sprintf("%d.block.", i+1)
		inside, next := c, 0
		if i > 0 {
			conv(at+"0.", wide, c, 1)
			inside, next = wide, 1
		}
		conv(fmt.Sprintf("%s%d.", at, next), inside, 1, 3+i%2*2)
		if i == 0 || i%2 == 1 {
			next++
			for name, shape := range map[string][]int{
				"fc1.weight": {squeezed, inside, 1, 1}, "fc1.bias": {squeezed}, "fc2.weight": {inside, squeezed, 1, 1}, "fc2.bias": {inside},
			} {
				r.Tensors[fmt.Sprintf("features.%s%d.%s", at, next, name)] = shape
			}
		}
		conv(fmt.Sprintf("%s%d.", at, next+1), c, inside, 1)
	}
	conv("12.", last, c, 1)
	return r.file("mobilenet", []int{last}, 64, nil)
}

// FirstMobileNet returns a small MobileNet v1 with synthetic weights.
func FirstMobileNet() *weights.File {
	const c = 16
	r := Reference{Tensors: map[string][]int{}}
	layer := func(name string, in, k int) { r.convolution("features."+name, "features."+name+".bn", c, in, k) }
	layer("conv1", 3, 3)
	for i := range 13 {
		layer(fmt.Sprintf("dw%d", i+1), 1, 3)
		layer(fmt.Sprintf("pw%d", i+1), c, 1)
	}
	return r.file("mobilenet", []int{c}, 64, nil)
}
