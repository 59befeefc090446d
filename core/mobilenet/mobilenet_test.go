package mobilenet_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/mobilenet"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// A picture of 160×160 pixels becomes 5×5 local embeddings.
func Example() {
	n, err := mobilenet.New(networktest.MobileNet(), mobilenet.Options{Threads: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	maps, err := n.Forward(tensor.New(1, 160, 160, 3))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(maps.Shape)
	// Output: [1 5 5 40]
}

// TestBatches: a picture's map depends neither on the pictures beside it, nor on the number
// of threads, nor, but for rounding, on the kernels.
func TestBatches(t *testing.T) {
	const pictures, side = 11, 75
	batch := resnettest.Pictures(pictures, side, 3)
	var want []float32
	for _, set := range kernel.Available() {
		for _, threads := range []int{1, 3} {
			n, err := mobilenet.New(networktest.MobileNet(), mobilenet.Options{Threads: threads, Kernels: set})
			if err != nil {
				t.Fatal(err)
			}
			maps, err := n.Forward(batch)
			if err != nil {
				t.Fatal(err)
			}
			all := slices.Clone(maps.Data)
			if want == nil {
				want = all
			}
			largest := float64(max(slices.Max(want), -slices.Min(want)))
			for i, v := range all {
				if math.Abs(float64(v-want[i])) > 1e-4*largest {
					t.Fatalf("%s, %d threads: value %d is %g, want %g", set.Name(), threads, i, v, want[i])
				}
			}
			for i := range pictures {
				one, err := n.Forward(tensor.Of(batch.Row(i), 1, side, side, 3))
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(one.Data, all[i*len(one.Data):][:len(one.Data)]) {
					t.Errorf("%s, %d threads: picture %d is another one alone", set.Name(), threads, i)
				}
			}
		}
	}
}

// TestRefuses: a file that holds no whole network of this kind gives an error that names
// it and says what is wrong.
func TestRefuses(t *testing.T) {
	drop := func(name string) func(*weights.File) {
		return func(f *weights.File) { delete(f.Tensors, "encoder.features."+name) }
	}
	for want, spoil := range map[string]func(f *weights.File){
		`architecture "vit", want "mobilenet"`: func(f *weights.File) { f.Meta.Arch = "vit" },
		"10 blocks: MobileNetV2 has 17":        drop("11.block.0.0.weight"),
		"features.0.0.weight":                  drop("0.0.weight"),
		"features.4.block.1.1.running_mean":    drop("4.block.1.1.running_mean"),
		"features.4.block.2.fc2.bias":          drop("4.block.2.fc2.bias"),
		"features.6.block.3.0.weight":          drop("6.block.3.0.weight"),
		"filters of 4×4, want 3×3 or 5×5": func(f *weights.File) {
			f.Tensors["encoder.features.2.block.1.0.weight"] = tensor.New(24, 1, 4, 4)
		},
		"features.12.0.weight":                    drop("12.0.weight"),
		"widths [64] of a network of 40 channels": func(f *weights.File) { f.Meta.Widths = []int{64} },
		"negative variance":                       func(f *weights.File) { f.Tensors["encoder.features.0.1.running_var"].Data[3] = -1 },
	} {
		f := networktest.MobileNet()
		spoil(f)
		n, err := mobilenet.New(f, mobilenet.Options{})
		if err == nil || n != nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), f.Source) {
			t.Errorf("got %v: want an error that names the file and says %q", err, want)
		}
	}
	n, err := mobilenet.New(networktest.MobileNet(), mobilenet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range [][]int{{0, 64, 64, 3}, {1, 64, 64, 1}, {1, 31, 64, 3}} {
		if _, err := n.Forward(tensor.New(shape...)); err == nil {
			t.Errorf("no error about pictures of shape %v", shape)
		}
	}
}
