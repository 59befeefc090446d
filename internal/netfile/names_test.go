package netfile

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// file returns a file of the network that was found.
func file(f *namedNetwork) *weights.File {
	return &weights.File{
		Source: "found", Tensors: f.Tensors, Meta: weights.Meta{Name: "found", Arch: f.Arch, Widths: f.Widths, Extra: f.Extra, InputSize: f.InputSize},
	}
}

// TestReference: networks with the names of other programs give PyTorch's output after each block,
// at three sizes each. The map is the output of the last block.
func TestReference(t *testing.T) {
	for _, r := range networktest.References() {
		f, err := findNetwork(r.Weights())
		if err != nil || f == nil {
			t.Fatalf("%s: %v, %v", r.Name, f, err)
		}
		blocks := require.Value(backbone.New(file(f), backbone.Options{}))(t)
		outputs, err := blocks.BlockOutputs(r.Picture(t))
		require.NoError(t, err)
		sameOutputs(t, r, outputs)
		maps := require.Value(blocks.Forward(r.Picture(t)))(t)
		last := outputs[len(outputs)-1].Data
		if !slices.Equal(maps.Data, last[len(last)-len(maps.Data):]) || maps.Shape[3] != blocks.Channels() {
			t.Errorf("%s: the map is not what leaves the last block", r.Name)
		}
	}
}

// sameOutputs fails if an output differs from the reference by more than a thousandth of the root mean
// square.
func sameOutputs(t *testing.T, r networktest.Reference, outputs []*tensor.Tensor) {
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

// found finds a network that can be built, and is found again in its own tensors.
func found(t *testing.T, tensors map[string]*tensor.Tensor, program string, left ...string) *namedNetwork {
	t.Helper()
	f, err := findNetwork(tensors)
	if err != nil || f == nil || f.Program != program || !slices.Equal(f.Left, left) {
		t.Fatalf("found %+v, %v, want %s and left %q", f, err, program, left)
	}
	if _, err := backbone.New(file(f), backbone.Options{}); err != nil {
		t.Error(err)
	}
	again, err := findNetwork(f.Tensors)
	if err != nil || len(again.Tensors) != len(f.Tensors) || len(again.Left) > 0 {
		t.Errorf("found again: %v, %v", again, err)
	}
	return f
}

// dinov2 returns the tensors of a small network under DINOv2's names.
func dinov2() map[string]*tensor.Tensor {
	tensors := map[string]*tensor.Tensor{}
	for name, t := range networktest.Transformer().Tensors {
		tensors[strings.TrimPrefix(name, "encoder.")] = t
	}
	return tensors
}

// TestFindNetwork: other names and additional tensors do not change the network.
func TestFindNetwork(t *testing.T) {
	want := require.Value(findNetwork(dinov2()))(t)
	if want.Extra[backbone.KeyHeads] != "2" || want.Extra[backbone.KeyPositions] != backbone.Offset || want.InputSize != 112 || len(want.Left) > 0 {
		t.Errorf("found %v, input %d, left %q", want.Extra, want.InputSize, want.Left)
	}
	rename := func(change func(name string) string) map[string]*tensor.Tensor {
		renamed := map[string]*tensor.Tensor{}
		for name, t := range dinov2() {
			renamed[change(name)] = t
		}
		return renamed
	}
	for _, test := range []struct {
		form    string
		tensors map[string]*tensor.Tensor
		left    []string
	}{
		{"this package", want.Tensors, nil},
		{"a wrapper", rename(func(name string) string { return "module.backbone." + name }), nil},
		{"blocks in groups", rename(strings.NewReplacer("blocks.1.", "blocks.0.1.", "blocks.0.", "blocks.0.0.").Replace), nil},
		{"a head besides", with(dinov2(), "head.weight", "mask_token"), []string{"head.weight", "mask_token"}},
		{"another network besides", with(rename(func(name string) string { return "teacher." + name }), "student.w"), []string{"student.w"}},
		{"normalisation behind the mean", rename(func(name string) string {
			if strings.HasPrefix(name, "norm.") {
				return "fc_" + name
			}
			return name
		}), nil},
		{"Hugging Face", hiddenStates("dinov2."), nil},
		{"Hugging Face, bare", hiddenStates(""), nil},
	} {
		got, err := findNetwork(test.tensors)
		if err != nil || got == nil {
			t.Errorf("%s: %v, %v", test.form, got, err)
			continue
		}
		if !slices.Equal(got.Left, test.left) || !maps.Equal(got.Extra, want.Extra) || !slices.Equal(got.Widths, want.Widths) {
			t.Errorf("%s: left %q, want %q; found %v", test.form, got.Left, test.left, got.Extra)
		}
		if len(got.Tensors) != len(want.Tensors) {
			t.Errorf("%s: %d tensors, want %d", test.form, len(got.Tensors), len(want.Tensors))
		}
		for name, x := range want.Tensors {
			if y := got.Tensors[name]; y == nil || !slices.Equal(x.Shape, y.Shape) || !slices.Equal(x.Data, y.Data) {
				t.Errorf("%s: the tensor %s differs", test.form, name)
			}
		}
	}
}

// with adds tensors of other parts.
func with(tensors map[string]*tensor.Tensor, names ...string) map[string]*tensor.Tensor {
	for _, name := range names {
		tensors[name] = tensor.New(1)
	}
	return tensors
}

// hiddenStates are the same tensors under the names of Hugging Face's Dinov2.
func hiddenStates(before string) map[string]*tensor.Tensor {
	tensors := map[string]*tensor.Tensor{}
	whole := strings.NewReplacer(
		"patch_embed.proj", "embeddings.patch_embeddings.projection", "cls_token", "embeddings.cls_token", "pos_embed", "embeddings.position_embeddings",
		"blocks.", "encoder.layer.", "attn.proj", "attention.output.dense", "ls1.gamma", "layer_scale1.lambda1", "ls2.gamma", "layer_scale2.lambda1",
	)
	for name, t := range dinov2() {
		if i := strings.Index(name, "attn.qkv"); i >= 0 {
			rows := t.Shape[0] / 3
			for part, kind := range []string{"query", "key", "value"} {
				shape := slices.Clone(t.Shape)
				shape[0] = rows
				n := len(t.Data) / 3
				tensors[before+whole.Replace(name[:i])+"attention.attention."+kind+name[i+len("attn.qkv"):]] = tensor.Of(t.Data[part*n:][:n], shape...)
			}
			continue
		}
		name = whole.Replace(name)
		if strings.HasPrefix(name, "norm.") {
			name = "layernorm." + strings.TrimPrefix(name, "norm.")
		}
		tensors[before+name] = t
	}
	return tensors
}

// TestClassTokenWithoutPosition: where positions are of patches alone, the class token's
// is zero.
func TestClassTokenWithoutPosition(t *testing.T) {
	tensors := dinov2()
	places := tensors["pos_embed"]
	c := places.Shape[2]
	tensors["pos_embed"] = tensor.Of(places.Data[c:], 1, places.Shape[1]-1, c)
	f := require.Value(findNetwork(tensors))(t)
	got := f.Tensors["encoder.pos_embed"]
	if !got.HasShape(places.Shape...) || slices.Max(got.Data[:c]) != 0 || !slices.Equal(got.Data[c:], places.Data[c:]) {
		t.Errorf("positions of shape %v", got.Shape)
	}
	require.Value(backbone.NewViT(file(f), backbone.Options{}))(t)
	delete(tensors, "cls_token")
	if got := require.Value(findNetwork(tensors))(t).Tensors["encoder.pos_embed"]; !got.HasShape(tensors["pos_embed"].Shape...) {
		t.Errorf("positions of shape %v without a class token", got.Shape)
	}
}

// TestWayOfPositions: DINOv2 resamples positions with an offset, unless it has registers.
func TestWayOfPositions(t *testing.T) {
	tensors := dinov2()
	tensors["register_tokens"] = tensor.New(1, 4, tensors["cls_token"].Shape[2])
	if way := require.Value(findNetwork(tensors))(t).Extra[backbone.KeyPositions]; way != backbone.Antialias {
		t.Errorf("with registers, positions are resampled by %q", way)
	}
}

// TestRefuses: the error about an unsupported network of a known kind names the problem. Tensors of
// other networks are not recognized.
func TestRefuses(t *testing.T) {
	for want, spoil := range map[string]func(tensors map[string]*tensor.Tensor){
		"no tensor pos_embed": func(t map[string]*tensor.Tensor) { delete(t, "pos_embed") },
		"blocks.1.mlp.w12.weight belongs to a layer that is not there": func(t map[string]*tensor.Tensor) { t["blocks.1.mlp.w12.weight"] = tensor.New(1) },
		"the patch embedding has shape [128 4 14 14]":                  func(t map[string]*tensor.Tensor) { t["patch_embed.proj.weight"] = tensor.New(128, 4, 14, 14) },
		"the position embeddings have shape [1 37 96]":                 func(t map[string]*tensor.Tensor) { t["pos_embed"] = tensor.New(1, 37, 96) },
		"no tensor norm.weight":                                        func(t map[string]*tensor.Tensor) { delete(t, "norm.weight") },
	} {
		tensors := dinov2()
		spoil(tensors)
		f, err := findNetwork(tensors)
		if err == nil || f != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v: want an error that says %q", f, err, want)
		}
	}
	whole := hiddenStates("")
	whole["encoder.layer.1.attention.attention.key.bias"] = tensor.New()
	if f, err := findNetwork(whole); err == nil || !strings.Contains(err.Error(), "key.bias has no shape") {
		t.Errorf("got %v, %v of a tensor without a shape", f, err)
	}
	if f, err := findNetwork(map[string]*tensor.Tensor{"fc.weight": tensor.New(1)}); f != nil || err != nil {
		t.Errorf("got %v, %v of tensors of no network", f, err)
	}
}

// torchvisions returns the tensors of a small ResNet as torchvision saves them, behind a text.
func torchvisions(before string) map[string]*tensor.Tensor {
	tensors := map[string]*tensor.Tensor{before + "fc.weight": tensor.New(10, 48), before + "bn1.num_batches_tracked": tensor.New(1)}
	for name, t := range networktest.Residual(true).Tensors {
		tensors[before+strings.TrimPrefix(name, "encoder.")] = t
	}
	return tensors
}

func TestFindResNet(t *testing.T) {
	for _, before := range []string{"", "module.backbone."} {
		f := found(t, torchvisions(before), "a ResNet of torchvision", before+"bn1.num_batches_tracked", before+"fc.weight")
		if f.InputSize != 160 {
			t.Errorf("%d pixels", f.InputSize)
		}
	}
	// A ResNet-12 of the reference implementation is no such network.
	if f, err := findNetwork(networktest.ResNet12([]int{4, 4, 4, 4}, 16, 1).Tensors); f != nil || err != nil {
		t.Errorf("a ResNet-12 is %v, %v", f, err)
	}
	for want, spoil := range map[string]func(tensors map[string]*tensor.Tensor){
		"shape [16 3 3 3], want [channels 3 7 7]": func(t map[string]*tensor.Tensor) { t["conv1.weight"] = tensor.New(16, 3, 3, 3) },
		"convolutions in groups, as in ResNeXt":   func(t map[string]*tensor.Tensor) { t["layer1.0.conv2.weight"] = tensor.New(16, 4, 3, 3) },
		"no tensor layer3.0.conv1.weight":         func(t map[string]*tensor.Tensor) { delete(t, "layer3.0.conv1.weight") },
		"no tensor layer2.0.conv2.weight":         func(t map[string]*tensor.Tensor) { delete(t, "layer2.0.conv2.weight") },
	} {
		tensors := torchvisions("")
		spoil(tensors)
		if f, err := findNetwork(tensors); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v: want an error that says %q", f, err, want)
		}
	}
}

func TestFindMobileNet(t *testing.T) {
	tensors := map[string]*tensor.Tensor{"classifier.0.weight": tensor.New(10, 40), "features.0.1.num_batches_tracked": tensor.New(1)}
	for name, t := range networktest.MobileNet().Tensors {
		tensors[strings.TrimPrefix(name, "encoder.")] = t
	}
	f := found(t, tensors, "a MobileNetV3 of torchvision", "classifier.0.weight", "features.0.1.num_batches_tracked")
	if f.InputSize != 160 {
		t.Errorf("%d pixels", f.InputSize)
	}
	delete(tensors, "features.12.0.weight")
	if f, err := findNetwork(tensors); err == nil || !strings.Contains(err.Error(), "no tensor features.12.0.weight") {
		t.Errorf("got %v, %v: want an error that names the last convolution", f, err)
	}
}

// TestRefusesMobileNetFirst: the error about a damaged MobileNet v1 names the tensor.
func TestRefusesMobileNetFirst(t *testing.T) {
	for want, spoil := range map[string]func(tensors map[string]*tensor.Tensor){
		"no tensor conv1.bn.":                func(t map[string]*tensor.Tensor) { delete(t, "encoder.features.conv1.bn.weight") },
		"no tensor dw2.bn.":                  func(t map[string]*tensor.Tensor) { delete(t, "encoder.features.dw2.bn.bias") },
		"no tensor pw3.weight":               func(t map[string]*tensor.Tensor) { delete(t, "encoder.features.pw3.weight") },
		"the tensor pw3.weight has shape []": func(t map[string]*tensor.Tensor) { t["encoder.features.pw3.weight"] = tensor.New() },
	} {
		tensors := networktest.FirstMobileNet().Tensors
		spoil(tensors)
		if f, err := findNetwork(tensors); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v: want an error that says %q", f, err, want)
		}
	}
}

// TestMobileNetFirst compares the shared teacher's maps of four photographs with maps computed in
// float64.
func TestMobileNetFirst(t *testing.T) {
	const name = "teachers/mobilenet-v1.safetensors"
	raw := require.Value(os.ReadFile(require.Shared(t, name)))(t)
	read, err := weights.DecodeTensors(name, raw)
	require.NoError(t, err)
	f := found(t, read.Tensors, "a MobileNet v1 of TensorFlow")
	n := require.Value(backbone.New(file(f), backbone.Options{Threads: 2}))(t)
	want, err := npz.Open(require.Shared(t, "teachers/mobilenet-v1-golden.npz"))
	require.NoError(t, err)
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
			if !(math.Abs(float64(v-maps[i])) <= 1e-4) {
				t.Fatalf("%d pixels: value %d is %g, want %g", side, i, v, maps[i])
			}
		}
	}
}
