package backbone_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// TestBatches: a picture's map depends neither on its batch nor on threads, memory or
// kernels, whether weights are floats or bytes.
func TestBatches(t *testing.T) {
	for _, c := range []struct {
		file *weights.File
		side int
	}{{networktest.Residual(true), 75}, {networktest.MobileNet(), 75}, {networktest.Transformer(), 70}} {
		t.Run(c.file.Meta.Arch, func(t *testing.T) {
			sameBatches(t, c.file, c.side, 1e-4)
			// Activations are rounded too: a difference in the last bit can become a step.
			sameBatches(t, ofBytes(t, c.file), c.side, 0.1)
		})
	}
}

// TestSizes: a map does not depend on the sizes of earlier images.
func TestSizes(t *testing.T) {
	for _, f := range []*weights.File{networktest.Residual(true), networktest.MobileNet(), ofBytes(t, networktest.MobileNet()), firstVersion(), networktest.ResNet12([]int{16, 16, 16, 32}, 32, 1)} {
		used := require.Value(backbone.New(f, backbone.Options{Threads: 1}))(t)
		for _, sides := range [][2]int{{64, 64}, {96, 64}, {64, 64}, {64, 96}} {
			batch := networktest.Pictures(1, 96, 1)
			batch = tensor.Of(batch.Data[:sides[0]*sides[1]*3], 1, sides[0], sides[1], 3)
			got := require.Value(used.Forward(batch))(t)
			want := require.Value(require.Value(backbone.New(f, backbone.Options{Threads: 1}))(t).Forward(batch))(t)
			if !slices.Equal(got.Shape, want.Shape) || !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s, %d×%d pixels: other values than from a new network", f.Meta.Arch, sides[1], sides[0])
			}
		}
	}
}

func TestBytesAreNear(t *testing.T) {
	bytesAreNear(t, networktest.Residual(false), 75, 0.05)
	bytesAreNear(t, networktest.Residual(true), 75, 0.05)
	bytesAreNear(t, networktest.MobileNet(), 75, 0.05)
	bytesAreNear(t, networktest.TransformerS(), 112, 0.03)
}

// TestGrid: the maps of either architecture are pooled as the file says.
func TestGrid(t *testing.T) {
	const side = 112
	picture := networktest.Pictures(2, side, 1)
	for _, file := range []func() *weights.File{
		func() *weights.File { return networktest.ResNet12([]int{16, 16, 16, 32}, side, 1) },
		networktest.Transformer,
		func() *weights.File { return networktest.Residual(true) },
		networktest.MobileNet,
	} {
		plain := require.Value(backbone.New(file(), backbone.Options{}))(t)
		maps := require.Value(plain.Forward(picture))(t)
		h, w, c := maps.Shape[1], maps.Shape[2], maps.Shape[3]
		if c != plain.Channels() {
			t.Errorf("maps of %d channels, the network says %d", c, plain.Channels())
		}
		want := make([]float32, 9*c)
		embed.PoolMap(want, maps.Row(1), h, w, c, 3)
		for grid, shape := range map[string][]int{"0": {2, h, w, c}, "3": {2, 3, 3, c}, fmt.Sprint(h): {2, h, w, c}, "9": {2, h, w, c}} {
			f := file()
			f.Meta.Extra = map[string]string{"heads": f.Meta.Extra["heads"], "positions": f.Meta.Extra["positions"], backbone.KeyGrid: grid}
			n := require.Value(backbone.New(f, backbone.Options{}))(t)
			got, err := n.Forward(picture)
			if err != nil || !slices.Equal(got.Shape, shape) {
				t.Fatalf("%s, grid %s: shape %v, %v: want %v", f.Meta.Arch, grid, got.Shape, err, shape)
			}
			if grid == "3" && !slices.Equal(got.Row(1), want) {
				t.Errorf("%s: the map is not pooled", f.Meta.Arch)
			}
			if _, err := n.Forward(tensor.New(1, 5, 5, 3)); err == nil {
				t.Errorf("%s, grid %s: no error about a picture of 5 pixels", f.Meta.Arch, grid)
			}
		}
	}
}

// TestSummaries: pooling keeps a transformer's summary of the image, and sets of nodes have it; a
// ResNet-12 has none.
func TestSummaries(t *testing.T) {
	picture := networktest.Pictures(1, 112, 1)
	var want []float32
	for _, grid := range []string{"0", "3"} {
		f := networktest.Transformer()
		f.Meta.Extra[backbone.KeyGrid] = grid
		n := require.Value(backbone.New(f, backbone.Options{}))(t)
		sets := require.Value(embed.FCN{}.EmbedInput(n, picture))(t)
		if want == nil {
			want = sets[0].Summary
		}
		if len(want) != n.Channels() || !slices.Equal(sets[0].Summary, want) {
			t.Errorf("grid %s: a summary of %d values, want those of grid 0, %d", grid, len(sets[0].Summary), len(want))
		}
	}
	f := networktest.ResNet12([]int{16, 16, 16, 32}, 112, 1)
	f.Meta.Extra = map[string]string{backbone.KeyGrid: "3"}
	n := require.Value(backbone.New(f, backbone.Options{}))(t)
	if sets, err := (embed.FCN{}).EmbedInput(n, picture); err != nil || sets[0].Summary != nil {
		t.Errorf("a ResNet-12 has the summary %v, error %v", sets[0].Summary, err)
	}
}

// rejects fails the test unless New returns an error that names the file and contains want.
func rejects(t *testing.T, f *weights.File, want string) {
	t.Helper()
	n, err := backbone.New(f, backbone.Options{})
	if err == nil || n != nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), f.Source) {
		t.Errorf("got %v, %v: want an error that names the file and says %q", n, err, want)
	}
}

func TestMetadataRefuses(t *testing.T) {
	for want, spoil := range map[string]func(m *weights.Meta){
		`architecture "abacus", want one of mobilenet, resnet, resnet12, vit`: func(m *weights.Meta) { m.Arch = "abacus" },
		`metadata grid "33"`:      func(m *weights.Meta) { m.Extra = map[string]string{backbone.KeyGrid: "33"} },
		`metadata grid "five"`:    func(m *weights.Meta) { m.Extra = map[string]string{backbone.KeyGrid: "five"} },
		"patch_embed.proj.weight": func(m *weights.Meta) { m.Arch = "vit" },
		"block 3 has width 0":     func(m *weights.Meta) { m.Widths = []int{16, 16, 0, 32} },
	} {
		f := networktest.ResNet12([]int{16, 16, 16, 32}, 32, 1)
		spoil(&f.Meta)
		rejects(t, f, want)
	}
}

// TestHostileShapes gives every tensor of a network in turn another shape: the network is rejected
// or runs, but never panics.
func TestHostileShapes(t *testing.T) {
	for _, file := range []func() *weights.File{networktest.Transformer, func() *weights.File { return networktest.Residual(true) }, networktest.MobileNet, firstVersion} {
		good := file()
		picture := networktest.Pictures(1, good.Meta.InputSize, 1)
		for name, right := range good.Tensors {
			shapes := [][]int{{}, {0}, {1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}, {2, 3, 0, 4}}
			for i := range right.Shape {
				for _, extent := range []int{0, 1, right.Shape[i] + 1} {
					other := slices.Clone(right.Shape)
					other[i] = extent
					shapes = append(shapes, other)
				}
			}
			for _, shape := range shapes {
				bad := file()
				bad.Tensors[name] = tensor.New(shape...)
				func() {
					defer func() {
						if p := recover(); p != nil {
							t.Errorf("%s, %s with shape %v instead of %v: %v", good.Source, name, shape, right.Shape, p)
						}
					}()
					n, err := backbone.New(bad, backbone.Options{Threads: 1})
					if err == nil {
						_, err = n.Forward(picture)
					}
					if err == nil && len(shape) != len(right.Shape) {
						t.Errorf("%s, %s with shape %v runs", good.Source, name, shape)
					}
				}()
			}
		}
	}
}

// TestMobileNetPlans compares the activations and strides of the blocks with table 2 of MobileNetV2's paper, and with
// tables 1 and 2 of MobileNetV3's: R is ReLU, S ReLU6 and H hard-swish.
func TestMobileNetPlans(t *testing.T) {
	letters := map[nn.Activation]string{nn.ReLU: "R", nn.ReLU6: "S", nn.HardSwish: "H"}
	for blocks, want := range map[int]string{
		17: "S1 S2 S1 S2 S1 S1 S2 S1 S1 S1 S1 S1 S1 S2 S1 S1 S1, ends S",
		15: "R1 R2 R1 R2 R1 R1 H2 H1 H1 H1 H1 H1 H2 H1 H1, ends H",
		11: "R2 R2 R1 H2 H1 H1 H1 H1 H2 H1 H1, ends H",
	} {
		plan, ok := backbone.MobileNetPlanOf(blocks)
		var found []string
		for i, stride := range plan.Strides {
			found = append(found, fmt.Sprint(letters[plan.After[i]], stride))
		}
		if got := strings.Join(found, " ") + ", ends " + letters[plan.Ends]; !ok || got != want {
			t.Errorf("%d blocks: %s, %v, want %s", blocks, got, ok, want)
		}
	}
}

// TestMobileNetRefuses: an incomplete network gives an error that names the file and the problem.
func TestMobileNetRefuses(t *testing.T) {
	drop := func(name string) func(*weights.File) {
		return func(f *weights.File) { delete(f.Tensors, "encoder.features."+name) }
	}
	for want, spoil := range map[string]func(f *weights.File){
		"0 blocks: MobileNetV2 has 17": drop("1.block.0.0.weight"),
		"10 blocks before the last convolution": func(f *weights.File) {
			delete(f.Tensors, "encoder.features.11.block.0.0.weight")
			f.Tensors["encoder.features.11.0.weight"] = f.Tensors["encoder.features.12.0.weight"]
		},
		"features.0.0.weight":               drop("0.0.weight"),
		"features.4.block.1.1.running_mean": drop("4.block.1.1.running_mean"),
		"features.4.block.2.fc2.bias":       drop("4.block.2.fc2.bias"),
		"features.6.block.3.0.weight":       drop("6.block.3.0.weight"),
		"filters of 4×4, want 3×3 or 5×5": func(f *weights.File) {
			f.Tensors["encoder.features.2.block.1.0.weight"] = tensor.New(24, 1, 4, 4)
		},
		"widths [40] of a network of 16 channels": drop("12.0.weight"),
		"widths [64] of a network of 40 channels": func(f *weights.File) { f.Meta.Widths = []int{64} },
		"negative variance":                       func(f *weights.File) { f.Tensors["encoder.features.0.1.running_var"].Data[3] = -1 },
	} {
		f := networktest.MobileNet()
		spoil(f)
		rejects(t, f, want)
	}
	n := require.Value(backbone.New(networktest.MobileNet(), backbone.Options{}))(t)
	refuses(t, n, []int{0, 64, 64, 3}, []int{1, 64, 64, 1}, []int{1, 31, 64, 3})
}

// TestResNetRefuses: an incomplete network gives an error that names the file and the problem.
func TestResNetRefuses(t *testing.T) {
	drop := func(name string) func(*weights.File) {
		return func(f *weights.File) { delete(f.Tensors, "encoder."+name) }
	}
	for want, spoil := range map[string]func(f *weights.File){
		"no tensor encoder.conv1.weight": drop("conv1.weight"),
		"layer2.1.bn2.running_var":       drop("layer2.1.bn2.running_var"),
		"layer3.0.downsample.0.weight":   drop("layer3.0.downsample.0.weight"),
		"layer4.0.conv1.weight":          drop("layer4.0.conv1.weight"),
		"layer2.1.conv1.weight has shape": func(f *weights.File) {
			f.Tensors["encoder.layer2.1.conv1.weight"] = tensor.New(16, 24, 3, 3)
		},
		"layer1.0.conv1.weight has shape [0 16 3 3] and no values": func(f *weights.File) {
			f.Tensors["encoder.layer1.0.conv1.weight"] = tensor.New(0, 16, 3, 3)
		},
		"negative variance -1":                      func(f *weights.File) { f.Tensors["encoder.bn1.running_var"].Data[3] = -1 },
		"the last block of stage 3 has 32 channels": func(f *weights.File) { f.Meta.Widths[2] = 64 },
		"want one to 4 stages":                      func(f *weights.File) { f.Meta.Widths = append(f.Meta.Widths, 64) },
		"widths [], want one":                       func(f *weights.File) { f.Meta.Widths = nil },
	} {
		f := networktest.Residual(true)
		spoil(f)
		rejects(t, f, want)
	}
	n := require.Value(backbone.New(networktest.Residual(false), backbone.Options{}))(t)
	refuses(t, n, []int{0, 64, 64, 3}, []int{1, 64, 64, 1}, []int{1, 31, 64, 3})
}
