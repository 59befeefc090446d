package main

import (
	"bytes"
	"fmt"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
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
		if err := ofBytes(b, name, x); err != nil {
			return err
		}
	}
	return nil
}

// ofBytes times a network whose weights have a byte each beside itself with floats, and
// says how large their files are.
func ofBytes(b *bench, name string, x *tensor.Tensor) error {
	for _, threads := range []int{1, 2} {
		var sides []side
		var megabytes []float64
		for _, form := range []struct {
			name  string
			dtype weights.DType
		}{{name + madeup.Bytes, weights.W8}, {name, weights.F32}} {
			file, err := madeup.File(form.name)
			if err != nil {
				return err
			}
			net, err := backbone.New(file, backbone.Options{Threads: threads})
			if err != nil {
				return err
			}
			sides = append(sides, func() (float64, error) {
				return timed(func() error { _, err := net.Forward(x); return err })
			})
			var encoded bytes.Buffer
			file.Meta.InputSize, file.Meta.Std = madeup.Size, [3]float32{1, 1, 1} // what no tensor says
			if err := file.Encode(&encoded, form.dtype); err != nil {
				return err
			}
			megabytes = append(megabytes, float64(encoded.Len())/1e6)
		}
		note := func(float64) string {
			return fmt.Sprintf("file of %.1f MB, of float32 %.1f MB", megabytes[0], megabytes[1])
		}
		what := fmt.Sprintf("%s, %d px, batch 1, threads %d", name+madeup.Bytes, madeup.Size, threads)
		if err := b.against(what, sides[0], note, peerSide{name: "our float32", measure: sides[1]}); err != nil {
			return err
		}
	}
	return nil
}
