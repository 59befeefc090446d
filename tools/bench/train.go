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

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/augment"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/optim"
	"github.com/deepemd/deepemd/trainer/training/pretrain"
)

const (
	trainClasses    = 64
	trainPerClass   = 8
	trainingThreads = 2
)

// train times steps of pre-training: pictures loaded and varied, forward,
// backward and the optimizer. The peer gets a batch that is ready. Mixed
// precision is held against both of the peer's.
func train(b *bench) error {
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	_, best, err := backbone.Precision(backbone.Auto)
	if err != nil {
		return err
	}
	for _, c := range []struct{ size, batch int }{{32, 64}, {84, 16}} {
		for _, precision := range []string{backbone.Float32, backbone.BFloat16} {
			if precision == backbone.BFloat16 && best != precision {
				continue
			}
			ours, stop, err := trainer(c.size, c.batch, precision)
			if err != nil {
				return err
			}
			what := fmt.Sprintf("%d px, batch %d, %s", c.size, c.batch, precision)
			note := func(ms float64) string { return fmt.Sprintf("%.1f img/s", float64(c.batch)/ms*1e3) }
			peers := []peerSide{torch.measure(request{What: "train", Size: c.size, Batch: c.batch, Threads: trainingThreads})}
			if precision == backbone.BFloat16 {
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

// trainer returns a side that takes one step of the full network with a head of
// 64 classes.
func trainer(size, batch int, precision string) (ours side, stop func(), err error) {
	s := pretrain.Defaults()
	s.Widths, s.RotationWeight, s.Precision, s.Threads = resnettest.Full, 0, precision, trainingThreads
	set, err := noise(size)
	if err != nil {
		return nil, nil, err
	}
	source, err := pretrain.NewPictures(set, set.Classes(), &s, augment.Policy{Pad: 0.125, Flip: true, Brightness: 0.2, Contrast: 0.2, Saturation: 0.2})
	if err != nil {
		return nil, nil, err
	}
	mixed, _, err := backbone.Precision(precision)
	if err != nil {
		return nil, nil, err
	}
	net, err := s.Plan.Build(s.Seed, backbone.Options{Threads: s.Threads, Mixed: mixed})
	if err != nil {
		return nil, nil, err
	}
	model := pretrain.NewModel(&s, net, trainClasses)
	sgd := optim.NewSGD(model.Params(), s.Momentum, s.WeightDecay, s.Nesterov, trainingThreads)
	stage, epoch, step := training.Stage{Size: size, Batch: batch}, 0, 0
	next, end := source.Batches(context.Background(), stage, epoch, 0)
	r := rand.New(rand.NewPCG(1, 1))
	return func() (float64, error) {
		return timed(func() error {
			if step == source.Steps(stage) {
				end()
				epoch, step = epoch+1, 0
				next, end = source.Batches(context.Background(), stage, epoch, 0)
			}
			step++
			batch, err := next()
			if err != nil {
				return err
			}
			if _, err := model.Gradients(batch, r); err != nil {
				return err
			}
			sgd.Step(0.01, optim.ClipScale(optim.GradientNorm(model.Params(), trainingThreads), s.Clip))
			return nil
		})
	}, func() { end(); set.Close() }, nil
}

// noise returns a data set of random pictures.
func noise(size int) (*data.Set, error) {
	dir, err := os.MkdirTemp("", "deepemd-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := rand.New(rand.NewPCG(2, 2))
	for class := range trainClasses {
		folder := filepath.Join(dir, fmt.Sprintf("class-%02d", class))
		if err := os.Mkdir(folder, 0o755); err != nil {
			return nil, err
		}
		for i := range trainPerClass {
			picture := image.NewNRGBA(image.Rect(0, 0, size, size))
			for at := range picture.Pix {
				picture.Pix[at] = uint8(r.IntN(256))
				if at%4 == 3 {
					picture.Pix[at] = 255
				}
			}
			err := atomicfile.Write(filepath.Join(folder, fmt.Sprintf("%d.png", i)), func(w io.Writer) error { return png.Encode(w, picture) })
			if err != nil {
				return nil, err
			}
		}
	}
	set, err := data.Open(dir)
	if err != nil {
		return nil, err
	}
	set.KeepDecoded()
	for _, class := range set.Classes() {
		for _, picture := range set.Pictures(class) {
			if _, err := set.Image(picture.Name); err != nil {
				return nil, err
			}
		}
	}
	return set, nil
}
