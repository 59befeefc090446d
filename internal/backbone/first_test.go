package backbone_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// firstWidths are the channels after the first layer and each block of the tests' network.
var firstWidths = []int{4, 6, 8}

// firstVersion makes the first two blocks of a MobileNet v1, strides 2, 1 and 2.
func firstVersion() *weights.File {
	r := rand.New(rand.NewPCG(1, 2))
	f := &weights.File{Source: "made up", Meta: weights.Meta{Arch: backbone.ArchMobileNet, Widths: firstWidths[2:], InputSize: 32}, Tensors: map[string]*tensor.Tensor{}}
	layer := func(name string, shape ...int) {
		filters := tensor.New(shape...)
		for i := range filters.Data {
			filters.Data[i] = float32(r.NormFloat64())
		}
		f.Tensors["encoder.features."+name+".weight"] = filters
		for _, part := range []string{"weight", "bias", "running_mean", "running_var"} {
			values := tensor.New(shape[0])
			for i := range values.Data {
				values.Data[i] = 0.5 + r.Float32()
			}
			f.Tensors["encoder.features."+name+".bn."+part] = values
		}
	}
	layer("conv1", firstWidths[0], 3, 3, 3)
	for i, in := range firstWidths[:2] {
		layer(fmt.Sprintf("dw%d", i+1), in, 1, 3, 3)
		layer(fmt.Sprintf("pw%d", i+1), firstWidths[i+1], in, 1, 1)
	}
	return f
}

// plainLayer computes a layer by TensorFlow's definition: "same" padding puts an odd remainder at
// the bottom and right.
func plainLayer(f *weights.File, name string, x [][][]float64, stride int, depthwise bool) [][][]float64 {
	tensorOf := func(part string) *tensor.Tensor { return f.Tensors["encoder.features."+name+part] }
	filters := tensorOf(".weight")
	k, in, h, w := filters.Shape[2], filters.Shape[1], len(x), len(x[0])
	rows, cols := (h+stride-1)/stride, (w+stride-1)/stride
	top, left := max((rows-1)*stride+k-h, 0)/2, max((cols-1)*stride+k-w, 0)/2
	out := make([][][]float64, rows)
	for y := range out {
		out[y] = make([][]float64, cols)
		for c := range out[y] {
			for o := range filters.Shape[0] {
				sum := 0.0
				for ky := range k {
					for kx := range k {
						iy, ix := y*stride+ky-top, c*stride+kx-left
						if iy < 0 || iy >= h || ix < 0 || ix >= w {
							continue
						}
						for i := range in {
							channel := i
							if depthwise {
								channel = o
							}
							sum += x[iy][ix][channel] * float64(filters.Data[((o*in+i)*k+ky)*k+kx])
						}
					}
				}
				of := func(part string) float64 { return float64(tensorOf(".bn." + part).Data[o]) }
				v := (sum-of("running_mean"))/math.Sqrt(of("running_var")+0.001)*of("weight") + of("bias")
				out[y][c] = append(out[y][c], min(max(v, 0), 6))
			}
		}
	}
	return out
}

// TestFirstVersion: maps with even and odd sides match TensorFlow's padding.
func TestFirstVersion(t *testing.T) {
	f := firstVersion()
	n := require.Value(backbone.New(f, backbone.Options{Threads: 2}))(t)
	for _, side := range []int{8, 9, 10, 11, 13} {
		batch := networktest.Pictures(2, side, uint64(side))
		got := require.Value(n.Forward(batch))(t)
		for p := range 2 {
			x := make([][][]float64, side)
			for i := range side * side {
				var pixel []float64
				for _, v := range batch.Row(p)[3*i:][:3] {
					pixel = append(pixel, float64(v))
				}
				x[i/side] = append(x[i/side], pixel)
			}
			x = plainLayer(f, "conv1", x, 2, false)
			for i, stride := range []int{1, 2} {
				x = plainLayer(f, fmt.Sprintf("dw%d", i+1), x, stride, true)
				x = plainLayer(f, fmt.Sprintf("pw%d", i+1), x, 1, false)
			}
			if !got.HasShape(2, len(x), len(x[0]), firstWidths[2]) {
				t.Fatalf("%d pixels: a map of %v, want %d×%d", side, got.Shape, len(x), len(x[0]))
			}
			values := got.Row(p)
			for y, row := range x {
				for c, pixel := range row {
					for o, want := range pixel {
						if v := float64(values[(y*len(row)+c)*len(pixel)+o]); !(math.Abs(v-want) <= 1e-4) {
							t.Fatalf("%d pixels: %g at %d,%d channel %d of picture %d, want %g", side, v, y, c, o, p, want)
						}
					}
				}
			}
		}
	}
}

func TestFirstVersionRefuses(t *testing.T) {
	for want, spoil := range map[string]func(f *weights.File){
		"features.conv1.weight":                 func(f *weights.File) { delete(f.Tensors, "encoder.features.conv1.weight") },
		"features.pw2.bn.bias":                  func(f *weights.File) { delete(f.Tensors, "encoder.features.pw2.bn.bias") },
		"widths [5] of a network of 8 channels": func(f *weights.File) { f.Meta.Widths = []int{5} },
		"dw2.weight has 9 filters, want 6": func(f *weights.File) {
			for name, t := range f.Tensors {
				if strings.Contains(name, ".dw2.") {
					f.Tensors[name] = tensor.New(append([]int{9}, t.Shape[1:]...)...)
				}
			}
		},
	} {
		f := firstVersion()
		spoil(f)
		if _, err := backbone.New(f, backbone.Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), f.Source) {
			t.Errorf("got %v: want an error that names the file and says %q", err, want)
		}
	}
}
