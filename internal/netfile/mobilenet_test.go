package netfile

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

func TestFindMobileNet(t *testing.T) {
	tensors := map[string]*tensor.Tensor{"classifier.0.weight": tensor.New(10, 40), "features.0.1.num_batches_tracked": tensor.New(1)}
	for name, t := range networktest.MobileNet().Tensors {
		tensors[strings.TrimPrefix(name, "encoder.")] = t
	}
	f, err := findNetwork(tensors)
	if err != nil || f == nil {
		t.Fatalf("%v, %v", f, err)
	}
	if want := []string{"classifier.0.weight", "features.0.1.num_batches_tracked"}; !slices.Equal(f.Left, want) {
		t.Errorf("left %q, want %q", f.Left, want)
	}
	if f.InputSize != 160 || f.Program != "a MobileNetV3 of torchvision" {
		t.Errorf("%s of %d pixels", f.Program, f.InputSize)
	}
	if _, err := backbone.New(file(f), backbone.Options{}); err != nil {
		t.Error(err)
	}
	again, err := findNetwork(f.Tensors)
	if err != nil || len(again.Tensors) != len(f.Tensors) || len(again.Left) > 0 {
		t.Errorf("found again: %v, %v", again, err)
	}
	delete(tensors, "features.12.0.weight")
	if f, err := findNetwork(tensors); err == nil || !strings.Contains(err.Error(), "no tensor features.12.0.weight") {
		t.Errorf("got %v, %v: want an error that names the last convolution", f, err)
	}
}

// TestMobileNetFirst: the shared teacher's maps of four photographs are those that were
// computed from its weights in float64.
func TestMobileNetFirst(t *testing.T) {
	const name = "teachers/mobilenet-v1.safetensors"
	raw, err := os.ReadFile(golden.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	read, err := weights.DecodeTensors(name, raw)
	if err != nil {
		t.Fatal(err)
	}
	f, err := findNetwork(read.Tensors)
	if err != nil || f == nil || len(f.Left) > 0 || f.Program != "a MobileNet v1 of TensorFlow" {
		t.Fatalf("%+v, %v", f, err)
	}
	again, err := findNetwork(f.Tensors)
	if err != nil || len(again.Tensors) != len(f.Tensors) || len(again.Left) > 0 {
		t.Errorf("found again: %v, %v", again, err)
	}
	n, err := backbone.New(file(f), backbone.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	want, err := npz.Open(golden.Path(t, "teachers/mobilenet-v1-golden.npz"))
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	for _, side := range []int{160, 224} {
		var pixels []uint8
		var maps []float32
		require.NoError(t, errors.Join(want.Read(fmt.Sprintf("input_%d.npy", side), &pixels), want.Read(fmt.Sprintf("map_%d.npy", side), &maps)))
		batch := tensor.New(4, side, side, 3)
		for i, v := range pixels {
			batch.Data[i] = (float32(v)/255 - f.Mean[0]) / f.Std[0]
		}
		got, err := n.Forward(batch)
		if err != nil || len(got.Data) != len(maps) {
			t.Fatalf("%d values, want %d, %v", len(got.Data), len(maps), err)
		}
		for i, v := range got.Data {
			if math.Abs(float64(v-maps[i])) > 1e-4 {
				t.Fatalf("%d pixels: value %d is %g, want %g", side, i, v, maps[i])
			}
		}
	}
}
