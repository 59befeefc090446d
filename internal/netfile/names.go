package netfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/internal/tensor"
)

// otherNetworks lists the other supported networks in error messages.
const otherNetworks = "other networks that can be read are vision transformers under the names of DINOv2, timm, torchvision and Hugging Face, and torchvision's ResNets and MobileNets, and MobileNet v1"

// namedNetwork is a network found among tensors.
type namedNetwork struct {
	Program   string // that named the tensors, for messages
	Arch      string
	Widths    []int
	InputSize int               // default side in pixels
	Mean, Std [3]float32        // of its training; zero if unknown
	Extra     map[string]string // additional metadata
	Tensors   map[string]*tensor.Tensor
	Left      []string // sorted names of tensors outside the backbone
}

// prefix precedes the tensor names of package backbone.
const prefix = "encoder."

// findNetwork identifies the network of tensors by their names and shapes. It returns nil if it is
// unknown. It also recognizes its own names.
//
// # Errors
//
// A network of a known kind that lacks tensors or has unsupported parts.
func findNetwork(tensors map[string]*tensor.Tensor) (*namedNetwork, error) {
	for _, kind := range kinds {
		for _, name := range slices.Sorted(maps.Keys(tensors)) {
			if before, ok := strings.CutSuffix(name, kind.mark); ok && (kind.also == "" || tensors[before+kind.also] != nil) {
				p := withPrefix(tensors, before)
				f, err := kind.find(p)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", kind.program, err)
				}
				f.Program = kind.program
				f.complete(tensors, before, p)
				return f, nil
			}
		}
	}
	return nil, nil
}

// kind is a naming convention of networks.
type kind struct {
	program string
	mark    string // suffix of a tensor's name
	also    string // second tensor with the same prefix, if one is not enough
	find    func(part) (*namedNetwork, error)
}

// part is the tensors of a network without their prefix. findNetwork removes the tensors that it
// uses.
type part map[string]*tensor.Tensor

// withPrefix returns the tensors with a prefix.
func withPrefix(tensors map[string]*tensor.Tensor, before string) part {
	p := part{}
	for name, t := range tensors {
		if rest, ok := strings.CutPrefix(name, before); ok {
			p[rest] = t
		}
	}
	return p
}

var kinds = []kind{
	{"a vision transformer of DINOv2 or timm", "patch_embed.proj.weight", "", timm},
	{"a vision transformer of torchvision", "conv_proj.weight", "", torchvision},
	{"a vision transformer of Hugging Face", "embeddings.patch_embeddings.projection.weight", "", huggingFace},
	{"a MobileNet v1 of TensorFlow", "dw1.weight", "pw1.weight", mobilenetFirst},
	{"a MobileNetV2 of torchvision", "features.0.0.weight", "features.1.conv.0.0.weight", mobilenets},
	{"a MobileNetV3 of torchvision", "features.0.0.weight", "features.1.block.0.0.weight", mobilenets},
	{"a ResNet of torchvision", "conv1.weight", "layer1.0.conv1.weight", resnet},
}

// remove removes a tensor and returns it, or nil.
func (p part) remove(name string) *tensor.Tensor {
	t := p[name]
	delete(p, name)
	return t
}

// require is take for required tensors.
func (p part) require(name string) (*tensor.Tensor, error) {
	if t := p.remove(name); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("no tensor %s: it has %s", name, listSome(p))
}

// complete adds [prefix] to the names, and lists the unused tensors.
func (f *namedNetwork) complete(all map[string]*tensor.Tensor, before string, rest part) {
	named := map[string]*tensor.Tensor{}
	for name, t := range f.Tensors {
		named[prefix+name] = t
	}
	f.Tensors = named
	for name := range all {
		inside, ok := strings.CutPrefix(name, before)
		if _, left := rest[inside]; !ok || left {
			f.Left = append(f.Left, name)
		}
	}
	slices.Sort(f.Left)
}

func listSome(tensors map[string]*tensor.Tensor) string {
	if len(tensors) == 0 {
		return "no tensors"
	}
	return plural.First(slices.Sorted(maps.Keys(tensors)), 3)
}

// residualSide is an input side in pixels with five positions across the last map.
const residualSide = 5 * backbone.Stride

// resnet accepts torchvision's names, which package backbone uses too.
func resnet(p part) (*namedNetwork, error) {
	first := p["conv1.weight"]
	if !first.HasShape(-1, 3, 7, 7) {
		return nil, fmt.Errorf("the first convolution has shape %v, want [channels 3 7 7]", first.Shape)
	}
	f := &namedNetwork{Arch: backbone.ArchResNet, InputSize: residualSide, Tensors: map[string]*tensor.Tensor{}}
	for stage := 1; stage == 1 || p[fmt.Sprintf("layer%d.0.conv1.weight", stage)] != nil; stage++ {
		last := cmp.Or(p[fmt.Sprintf("layer%d.0.conv3.weight", stage)], p[fmt.Sprintf("layer%d.0.conv2.weight", stage)])
		if last == nil || len(last.Shape) != 4 {
			return nil, fmt.Errorf("no tensor layer%d.0.conv2.weight [channels channels 3 3]", stage)
		}
		f.Widths = append(f.Widths, last.Shape[0])
	}
	if t := p["layer1.0.conv2.weight"]; t != nil && len(t.Shape) == 4 && t.Shape[1] < t.Shape[0] {
		return nil, fmt.Errorf("layer1.0.conv2.weight has shape %v: convolutions in groups, as in ResNeXt, are not supported", t.Shape)
	}
	for name := range p {
		group, layer, _ := strings.Cut(name, ".")
		switch {
		case strings.HasSuffix(layer, "num_batches_tracked"):
		case group == "conv1", group == "bn1":
			f.Tensors[name] = p.remove(name)
		case len(group) == len("layer0") && strings.HasPrefix(group, "layer"):
			if held := fmt.Sprintf("layer%d", len(f.Widths)); group > held {
				return nil, fmt.Errorf("no tensor layer%d.0.conv1.weight, though there is %s", len(f.Widths)+1, name)
			}
			f.Tensors[name] = p.remove(name)
		}
	}
	return f, nil
}

// mobilenets accepts torchvision's names, which package backbone uses too.
func mobilenets(p part) (*namedNetwork, error) {
	f := &namedNetwork{Arch: backbone.ArchMobileNet, InputSize: 5 * backbone.Stride, Tensors: map[string]*tensor.Tensor{}}
	last := 0
	for name := range p {
		if !strings.HasPrefix(name, "features.") || strings.HasSuffix(name, "num_batches_tracked") {
			continue
		}
		f.Tensors[name] = p.remove(name)
		var number int
		if _, err := fmt.Sscanf(name, "features.%d.", &number); err == nil {
			last = max(last, number)
		}
	}
	return f, f.setWidth(last)
}

// setWidth sets the network's channels to the output channels of a MobileNet's part: of the last
// convolution, or of a block's last 1×1 convolution.
func (f *namedNetwork) setWidth(number int) error {
	first := fmt.Sprintf("features.%d.", number)
	last := ""
	for name, t := range f.Tensors {
		layer, ok := strings.CutPrefix(strings.Replace(strings.TrimPrefix(name, prefix), ".pw", ".", 1), first)
		if ok && t.HasShape(-1, -1, 1, 1) && !strings.Contains(layer, ".fc") {
			last = max(last, name) // blocks have fewer than ten layers
		}
	}
	if last == "" {
		return fmt.Errorf("no tensor %s0.weight [channels channels 1 1] after the last block: it has %s", first, listSome(part(f.Tensors)))
	}
	f.Widths = []int{f.Tensors[last].Shape[0]}
	return nil
}

// firstNorm maps the names of a MobileNet v1's normalization to package backbone's.
var firstNorm = map[string]string{"gamma": "weight", "beta": "bias", "mean": "running_mean", "var": "running_var"}

// mobilenetFirst accepts the layers of a MobileNet v1: conv1, and dw1, pw1, dw2 and so on, all or
// the first. Images are scaled to −1…1.
func mobilenetFirst(p part) (*namedNetwork, error) {
	half := [3]float32{0.5, 0.5, 0.5}
	f := &namedNetwork{Arch: backbone.ArchMobileNet, InputSize: 5 * backbone.Stride, Mean: half, Std: half, Tensors: map[string]*tensor.Tensor{}}
	take := func(layer string) (err error) {
		names := map[string]string{layer + ".weight": layer + ".weight"}
		for from, to := range firstNorm {
			norm := layer + ".bn."
			if p[norm+to] != nil { // named by this package
				from = to
			}
			names[norm+from] = norm + to
		}
		for from, to := range names {
			if f.Tensors["features."+to], err = p.require(from); err != nil {
				return err
			}
		}
		return nil
	}
	if err := take("conv1"); err != nil {
		return nil, err
	}
	for i := 1; p[fmt.Sprintf("dw%d.weight", i)] != nil; i++ {
		depthwise, pointwise := fmt.Sprintf("dw%d", i), fmt.Sprintf("pw%d", i)
		if err := errors.Join(take(depthwise), take(pointwise)); err != nil {
			return nil, err
		}
		filters := f.Tensors["features."+pointwise+".weight"]
		if !filters.HasShape(-1, -1, 1, 1) {
			return nil, fmt.Errorf("the tensor %s.weight has shape %v, want [channels channels 1 1]", pointwise, filters.Shape)
		}
		f.Widths = []int{filters.Shape[0]}
	}
	return f, nil
}
