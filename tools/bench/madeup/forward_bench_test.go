package madeup_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/tools/bench/madeup"
)

// BenchmarkForward times a picture through each of the networks, by every set of kernels.
func BenchmarkForward(b *testing.B) {
	x := resnettest.Pictures(1, madeup.Size, 1)
	for _, n := range madeup.Networks {
		file, err := madeup.File(n.Name)
		if err != nil {
			b.Fatal(err)
		}
		for _, set := range kernel.Available() {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/%s/threads=%d", n.Torch, set.Name(), threads), func(b *testing.B) {
					net, err := backbone.New(file, backbone.Options{Threads: threads, Kernels: set})
					if err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						if _, err := net.Forward(x); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
