package netfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
