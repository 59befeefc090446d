package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"deepemd/core/resnet"
	"deepemd/core/resnet/resnettest"
	"deepemd/trainer/backbone"
	"deepemd/trainer/layer"
	"deepemd/trainer/optim"
)

// request is what tools/peers/torch_peer.py understands.
type request struct {
	What    string `json:"what"`
	Size    int    `json:"size"`
	Batch   int    `json:"batch,omitempty"`
	Threads int    `json:"threads,omitempty"`
	Path    string `json:"path,omitempty"`
}

// timed is one measurement of run.
func timed(run func() error) (float64, error) {
	start := time.Now()
	err := run()
	return float64(time.Since(start).Nanoseconds()) / 1e6, err
}

// native times the inference network.
func native(b *bench) error {
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	for _, size := range []int{84, 32} {
		for _, batch := range []int{1, 16} {
			for _, threads := range []int{1, 2} {
				net, err := resnet.New(resnettest.Weights(resnettest.Full, size, 1), resnet.Options{Threads: threads})
				if err != nil {
					return err
				}
				x := resnettest.Pictures(batch, size, 1)
				ours := func() (float64, error) {
					return timed(func() error { _, err := net.Forward(x); return err })
				}
				flops := float64(batch) * resnet.FLOPs(resnettest.Full, size, size)
				what := fmt.Sprintf("%d px, batch %d, threads %d", size, batch, threads)
				note := func(ms float64) string { return fmt.Sprintf("%.0f GFLOP/s", flops/ms/1e6) }
				if err := b.against(what, ours, note, torch.measure(request{What: "forward", Size: size, Batch: batch, Threads: threads})); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// train times steps of pre-training: forward, backward and the optimizer.
func train(b *bench) error {
	const threads = 2
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	for _, c := range []struct{ size, batch int }{{32, 64}, {84, 16}} {
		ours, err := trainer(c.size, c.batch, threads)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%d px, batch %d", c.size, c.batch)
		note := func(ms float64) string { return fmt.Sprintf("%.1f img/s", float64(c.batch)/ms*1e3) }
		if err := b.against(what, ours, note, torch.measure(request{What: "train", Size: c.size, Batch: c.batch, Threads: threads})); err != nil {
			return err
		}
	}
	return nil
}

// trainer returns a side that takes one step of the full network with a head of
// 64 classes, on pictures that stay the same.
func trainer(size, batch, threads int) (side, error) {
	net, err := backbone.New(resnettest.Full, 1, backbone.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	const classes = 64
	head := layer.NewLinear("fc", resnettest.Full[3], classes, rand.New(rand.NewPCG(1, 1)))
	sgd := optim.NewSGD(append(net.Params(), &head.Weight, &head.Bias), 0.9, 5e-4, true, threads)
	x, labels := resnettest.Pictures(batch, size, 1), make([]int, batch)
	for i := range labels {
		labels[i] = i % classes
	}
	pooled, dpooled := make([]float32, batch*head.In), make([]float32, batch*head.In)
	logits, dlogits := make([]float32, batch*head.Out), make([]float32, batch*head.Out)
	side := size >> resnet.Blocks
	gradient := make([]float32, batch*side*side*resnettest.Full[3])
	return func() (float64, error) {
		return timed(func() error {
			layer.AveragePool(pooled, net.Forward(x, nil))
			head.Forward(net.Context(), logits, pooled, batch)
			layer.CrossEntropy(dlogits, logits, labels, classes, head.Out, 0, 1)
			head.Backward(net.Context(), dpooled, dlogits, pooled, batch)
			layer.AveragePoolGradient(gradient, dpooled, batch, side, side, resnettest.Full[3], head.In)
			net.Backward(gradient)
			sgd.Step(0.01, 1)
			return nil
		})
	}, nil
}
