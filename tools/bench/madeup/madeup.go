// Package madeup has networks of others with made-up weights, which take as long as true
// ones.
package madeup

import (
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/trainer/format/names"
)

// Size is the side of the pictures, in pixels.
const Size = 112

// Networks are the networks, and their names in PyTorch's world.
var Networks = []struct{ Name, Torch string }{
	{"ViT-S/14", "vit_s_14"}, {"ResNet-18", "resnet18"}, {"MobileNetV2", "mobilenet_v2"}, {"MobileNetV3, large", "mobilenet_v3_large"},
}

// Bytes ends the name of a network whose weights have a byte each.
const Bytes = ", int8"

// OfBytes are the networks that are measured with such weights, too, beside themselves.
var OfBytes = []string{"ViT-S/14", "MobileNetV2", "ResNet-18"}

// File returns the network of that name.
func File(name string) (*weights.File, error) {
	if name, ok := strings.CutSuffix(name, Bytes); ok {
		f, err := File(name)
		if err != nil {
			return nil, err
		}
		return f.Quantized(), nil
	}
	if name == "ViT-S/14" {
		return networktest.TransformerS(), nil
	}
	for _, r := range networktest.References() {
		if r.Name != name {
			continue
		}
		f, err := names.Find(r.Weights())
		if err != nil {
			return nil, err
		}
		return &weights.File{Source: name, Tensors: f.Tensors, Meta: weights.Meta{Name: name, Arch: f.Arch, Widths: f.Widths, Extra: f.Extra}}, nil
	}
	return nil, fmt.Errorf("no network %s", name)
}
