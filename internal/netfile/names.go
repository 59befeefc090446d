package netfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// otherNetworks says for people what else could be read.
const otherNetworks = "other networks that can be read are vision transformers under the names of DINOv2, timm, torchvision and Hugging Face, and torchvision's ResNets and MobileNets, and MobileNet v1"

// namedNetwork is a network among tensors.
type namedNetwork struct {
	Program   string // whose names the tensors had, for people
	Arch      string
	Widths    []int
	InputSize int               // side in pixels that is usual here
	Mean, Std [3]float32        // that such networks are trained with; zero where that differs
	Extra     map[string]string // metadata that only such networks have
	Tensors   map[string]*tensor.Tensor
	Left      []string // names of tensors that are no part of the backbone, sorted
}

// prefix stands before the names that the networks of core read.
const prefix = "encoder."

// findNetwork finds the network that tensors are of, by their names and shapes; nil where they
// are of none that this package knows. Tensors named by this package are found again.
//
// # Errors
//
// A network of a known kind that lacks tensors, or has parts that core has no layer for.
func findNetwork(tensors map[string]*tensor.Tensor) (*namedNetwork, error) {
	for _, kind := range kinds {
		for _, name := range slices.Sorted(maps.Keys(tensors)) {
			if before, ok := strings.CutSuffix(name, kind.mark); ok && (kind.also == "" || tensors[before+kind.also] != nil) {
				p := within(tensors, before)
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

// kind is a form that networks come in.
type kind struct {
	program string
	mark    string // how the name of a tensor ends
	also    string // another one behind the same beginning, where it takes both to tell
	find    func(part) (*namedNetwork, error)
}

// part are the tensors of a network among others, without what stands before their names.
// What findNetwork takes of them it takes out.
type part map[string]*tensor.Tensor

// within are the tensors whose names begin with the text.
func within(tensors map[string]*tensor.Tensor, before string) part {
	p := part{}
	for name, t := range tensors {
		if rest, ok := strings.CutPrefix(name, before); ok {
			p[rest] = t
		}
	}
	return p
}

// kinds are all that are known.
var kinds = []kind{
	{"a vision transformer of DINOv2 or timm", "patch_embed.proj.weight", "", timm},
	{"a vision transformer of torchvision", "conv_proj.weight", "", torchvision},
	{"a vision transformer of Hugging Face", "embeddings.patch_embeddings.projection.weight", "", huggingFace},
	{"a MobileNet v1 of TensorFlow", "dw1.weight", "pw1.weight", mobilenetFirst},
	{"a MobileNetV2 of torchvision", "features.0.0.weight", "features.1.conv.0.0.weight", mobilenets},
	{"a MobileNetV3 of torchvision", "features.0.0.weight", "features.1.block.0.0.weight", mobilenets},
	{"a ResNet of torchvision", "conv1.weight", "layer1.0.conv1.weight", resnet},
}

// take removes a tensor and returns it, nil where there is none.
func (p part) take(name string) *tensor.Tensor {
	t := p[name]
	delete(p, name)
	return t
}

// need is take of a tensor that must be there.
func (p part) need(name string) (*tensor.Tensor, error) {
	if t := p.take(name); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("no tensor %s: it has %s", name, some(p))
}

// complete puts [prefix] before the names, and lists what is left: of the part, and of
// all tensors that do not belong to it.
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

// some names a few tensors.
func some(tensors map[string]*tensor.Tensor) string {
	names := slices.Sorted(maps.Keys(tensors))
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}

// residualSide is an input whose last map has five positions across, in pixels.
const residualSide = 5 * backbone.Stride

// resnet takes the names of torchvision's ResNets, which are those of internal/backbone.
func resnet(p part) (*namedNetwork, error) {
	first := p["conv1.weight"]
	if !first.HasShape(-1, 3, 7, 7) {
		return nil, fmt.Errorf("the first convolution has shape %v, want [channels 3 7 7]", first.Shape)
	}
	f := &namedNetwork{Arch: backbone.ArchResNet, InputSize: residualSide, Tensors: map[string]*tensor.Tensor{}}
	for stage := 1; stage == 1 || p[fmt.Sprintf("layer%d.0.conv1.weight", stage)] != nil; stage++ {
		last := p[fmt.Sprintf("layer%d.0.conv3.weight", stage)]
		if last == nil {
			last = p[fmt.Sprintf("layer%d.0.conv2.weight", stage)]
		}
		if last == nil || len(last.Shape) != 4 {
			return nil, fmt.Errorf("no tensor layer%d.0.conv2.weight [channels channels 3 3]", stage)
		}
		f.Widths = append(f.Widths, last.Shape[0])
	}
	for name := range p {
		group, layer, _ := strings.Cut(name, ".")
		switch {
		case strings.HasSuffix(layer, "num_batches_tracked"):
		case group == "conv1", group == "bn1":
			f.Tensors[name] = p[name]
		case len(group) == len("layer0") && strings.HasPrefix(group, "layer"):
			if held := fmt.Sprintf("layer%d", len(f.Widths)); group > held {
				return nil, fmt.Errorf("no tensor layer%d.0.conv1.weight, though there is %s", len(f.Widths)+1, name)
			}
			f.Tensors[name] = p[name]
		}
	}
	for name := range f.Tensors {
		delete(p, name)
	}
	return f, nil
}

// mobilenets takes the names of torchvision's MobileNets, which are those of
// internal/backbone.
func mobilenets(p part) (*namedNetwork, error) {
	f := &namedNetwork{Arch: backbone.ArchMobileNet, InputSize: 5 * backbone.Stride, Tensors: map[string]*tensor.Tensor{}}
	last := 0
	for name := range p {
		if !strings.HasPrefix(name, "features.") || strings.HasSuffix(name, "num_batches_tracked") {
			continue
		}
		f.Tensors[name] = p[name]
		var number int
		if _, err := fmt.Sscanf(name, "features.%d.", &number); err == nil {
			last = max(last, number)
		}
	}
	if err := f.leave(last); err != nil {
		return nil, err
	}
	for name := range f.Tensors {
		delete(p, name)
	}
	return f, nil
}

// leave makes the channels that a part of a MobileNet leaves those of the network: of the
// last convolution, or of a block's last layer, which is one of single pixels too.
func (f *namedNetwork) leave(number int) error {
	first := fmt.Sprintf("features.%d.", number)
	last := ""
	for name, t := range f.Tensors {
		layer, ok := strings.CutPrefix(strings.TrimPrefix(name, prefix), first)
		if ok && t.HasShape(-1, -1, 1, 1) && !strings.Contains(layer, ".fc") {
			last = max(last, name) // no block has ten layers
		}
	}
	if last == "" {
		return fmt.Errorf("no tensor %s0.weight [channels channels 1 1] behind the last block: it has %s", first, some(part(f.Tensors)))
	}
	f.Widths = []int{f.Tensors[last].Shape[0]}
	return nil
}

// firstNorm are the names of a normalisation's tensors in a MobileNet v1, and those that
// internal/backbone reads.
var firstNorm = map[string]string{"gamma": "weight", "beta": "bias", "mean": "running_mean", "var": "running_var"}

// mobilenetFirst takes the layers of a MobileNet v1: conv1, and dw1, pw1, dw2 and so on as
// far as they go. Pictures are scaled to −1…1.
func mobilenetFirst(p part) (*namedNetwork, error) {
	half := [3]float32{0.5, 0.5, 0.5}
	f := &namedNetwork{Arch: backbone.ArchMobileNet, InputSize: 5 * backbone.Stride, Mean: half, Std: half, Tensors: map[string]*tensor.Tensor{}}
	take := func(layer string) (err error) {
		names := map[string]string{layer + ".weight": layer + ".weight"}
		for from, to := range firstNorm {
			norm := layer + ".bn."
			if p[norm+to] != nil { // found again
				from = to
			}
			names[norm+from] = norm + to
		}
		for from, to := range names {
			if f.Tensors["features."+to], err = p.need(from); err != nil {
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
		f.Widths = []int{f.Tensors["features."+pointwise+".weight"].Shape[0]}
	}
	return f, nil
}
