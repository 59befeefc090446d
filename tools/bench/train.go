package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/trainer/training"
)

const (
	trainClasses    = 64
	trainPerClass   = 8
	trainingThreads = 2
)

// train times steps of pre-training: loading and augmentation, forward, backward and optimizer. The
// peer gets a prepared batch. Mixed precision is compared with both precisions of the peer.
func train(b *bench) error {
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	best, err := fastest()
	if err != nil {
		return err
	}
	for _, c := range []struct{ size, batch int }{{32, 64}, {84, 16}} {
		for _, precision := range slices.Compact([]string{"float32", best}) {
			ours, stop, err := pretraining(c.size, c.batch, precision)
			if err != nil {
				return err
			}
			what := fmt.Sprintf("%d px, batch %d, %s", c.size, c.batch, precision)
			note := func(ms float64) string { return fmt.Sprintf("%.1f img/s", float64(c.batch)/ms*1e3) }
			peers := []peerSide{torch.measure(request{What: "train", Size: c.size, Batch: c.batch, Threads: trainingThreads})}
			if precision != "float32" {
				mixed := torch.measure(request{What: "train", Size: c.size, Batch: c.batch, Threads: trainingThreads, BFloat16: true})
				mixed.name += " bfloat16"
				peers = append(peers, mixed)
			}
			err = b.against(what, ours, note, peers...)
			stop()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fastest returns the precision that training selects on this machine: float32 or bfloat16.
func fastest() (string, error) {
	s := training.NewPretrain()
	s.Stages[0].Size = 32 // any
	err := s.Check()
	return s.Precision, err
}

// pretraining returns a side that runs one step of the full network with 64 classes. The function
// stop ends the run.
func pretraining(size, batch int, precision string) (ours measurement, stop func(), err error) {
	dir, err := os.MkdirTemp("", "deepemd-bench")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { os.RemoveAll(dir) }
	s := training.NewPretrain()
	s.Device = training.CPU
	s.Data, s.Widths, s.RotationWeight, s.Average, s.Precision, s.Threads = dir, networktest.Full, 0, 0, precision, trainingThreads
	s.Stages[0].Epochs, s.Stages[0].Size, s.Stages[0].Batch = 1_000_000, size, batch
	s.Augment.MinArea, s.Augment.Pad = 0, 0.125
	s.Augment.Brightness, s.Augment.Contrast, s.Augment.Saturation = 0.2, 0.2, 0.2
	if err := noise(dir, trainClasses, trainPerClass, size); err != nil {
		remove()
		return nil, nil, err
	}
	ready, err := s.Prepare(context.Background(), training.Reporter{})
	if err != nil {
		remove()
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ask, took, ended := make(chan struct{}), make(chan float64), make(chan error, 1)
	ready.Dir = dir
	ready.Watch.Step = func(r training.Record, _, _ int) {
		select {
		case took <- float64(batch) / r.PerSecond * 1e3:
			<-ask
		case <-ctx.Done():
		}
	}
	go func() {
		<-ask
		ended <- ready.Run(ctx, false)
	}()
	step := func() (float64, error) {
		select {
		case ask <- struct{}{}:
		case err := <-ended:
			return 0, err
		}
		select {
		case ms := <-took:
			return ms, nil
		case err := <-ended:
			return 0, err
		}
	}
	return step, func() {
		cancel()
		close(ask)
		<-ended
		ready.Close()
		remove()
	}, nil
}

// noise writes random images by class to a folder.
func noise(dir string, classes, perClass, size int) error {
	r := rand.New(rand.NewPCG(2, 2))
	for class := range classes {
		folder := filepath.Join(dir, fmt.Sprintf("class-%02d", class))
		if err := os.Mkdir(folder, 0o755); err != nil {
			return err
		}
		for i := range perClass {
			picture := image.NewNRGBA(image.Rect(0, 0, size, size))
			for at := range picture.Pix {
				picture.Pix[at] = uint8(r.IntN(256))
				if at%4 == 3 {
					picture.Pix[at] = 255
				}
			}
			err := atomicfile.Write(filepath.Join(folder, fmt.Sprintf("%d.png", i)), func(w io.Writer) error { return png.Encode(w, picture) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}
