package main

import (
	"fmt"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/format/names"
)

// backbones times networks of others, natively: a picture, on one thread and on two.
func backbones(b *bench) error {
	const size = 112
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	x := resnettest.Pictures(1, size, 1)
	for _, n := range []struct{ name, torch string }{
		{"ViT-S/14", "vit_s_14"}, {"ResNet-18", "resnet18"}, {"MobileNetV2", "mobilenet_v2"}, {"MobileNetV3, large", "mobilenet_v3_large"},
	} {
		file, err := madeUp(n.name)
		if err != nil {
			return err
		}
		for _, threads := range []int{1, 2} {
			net, err := backbone.New(file, backbone.Options{Threads: threads})
			if err != nil {
				return err
			}
			ours := func() (float64, error) {
				return timed(func() error { _, err := net.Forward(x); return err })
			}
			what := fmt.Sprintf("%s, %d px, batch 1, threads %d", n.name, size, threads)
			theirs := torch.measure(request{What: "backbone", Name: n.torch, Size: size, Batch: 1, Threads: threads})
			if err := b.against(what, ours, func(float64) string { return net.Kernels() }, theirs); err != nil {
				return err
			}
		}
	}
	return nil
}

// madeUp is a network of that name with made-up weights.
func madeUp(name string) (*weights.File, error) {
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
