package main

import (
	"fmt"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/tools/bench/madeup"
)

// backbones times networks of others, natively: a picture, on one thread and on two.
func backbones(b *bench) error {
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	x := resnettest.Pictures(1, madeup.Size, 1)
	for _, n := range madeup.Networks {
		file, err := madeup.File(n.Name)
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
			what := fmt.Sprintf("%s, %d px, batch 1, threads %d", n.Name, madeup.Size, threads)
			theirs := torch.measure(request{What: "backbone", Name: n.Torch, Size: madeup.Size, Batch: 1, Threads: threads})
			if err := b.against(what, ours, func(float64) string { return net.Kernels() }, theirs); err != nil {
				return err
			}
		}
	}
	for _, name := range madeup.OfBytes {
		for _, threads := range []int{1, 2} {
			var sides []side
			var kernels string
			for _, name := range []string{name + madeup.Bytes, name} {
				file, err := madeup.File(name)
				if err != nil {
					return err
				}
				net, err := backbone.New(file, backbone.Options{Threads: threads})
				if err != nil {
					return err
				}
				kernels = net.Kernels()
				sides = append(sides, func() (float64, error) {
					return timed(func() error { _, err := net.Forward(x); return err })
				})
			}
			what := fmt.Sprintf("%s, %d px, batch 1, threads %d", name+madeup.Bytes, madeup.Size, threads)
			if err := b.against(what, sides[0], func(float64) string { return kernels }, peerSide{name: "our float32", measure: sides[1]}); err != nil {
				return err
			}
		}
	}
	return nil
}
