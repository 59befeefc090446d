package main

import (
	"bytes"
	"fmt"

	"github.com/BurntSushi/toml"

	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/recipes"
)

// small times the networks for pages, of the widths that their recipes name, on one
// thread: a picture, as the camera gives them.
func small(b *bench) error {
	const size = 84
	x := resnettest.Pictures(1, size, 1)
	for _, recipe := range []string{"resnet12-s", "resnet12-xs"} {
		raw, err := recipes.Read(recipes.Pretrain, recipe)
		if err != nil {
			return err
		}
		var r struct{ Widths []int }
		if err := toml.Unmarshal(raw, &r); err != nil {
			return fmt.Errorf("recipe %s: %w", recipe, err)
		}
		file := resnettest.Weights(r.Widths, size, 1)
		net, err := resnet.New(file, resnet.Options{Threads: 1})
		if err != nil {
			return err
		}
		whole, err := resnet.Whole(file, resnet.MaxBits)
		if err != nil {
			return err
		}
		var bytes bytes.Buffer
		if err := whole.Encode(&bytes, weights.I8); err != nil {
			return err
		}
		flops := resnet.FLOPs(r.Widths, size, size)
		note := func(ms float64) string {
			return fmt.Sprintf("widths %v, file of %.2f MB, %.2f GFLOP, %.0f GFLOP/s", r.Widths, float64(bytes.Len())/1e6, flops/1e9, flops/ms/1e6)
		}
		ours := func() (float64, error) {
			return timed(func() error { _, err := net.Forward(x); return err })
		}
		if err := b.against(fmt.Sprintf("%s, %d px, batch 1, threads 1", recipe, size), ours, note); err != nil {
			return err
		}
	}
	return nil
}
