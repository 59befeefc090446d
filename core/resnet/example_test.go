package resnet_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// A small network, of random weights here, turns two pictures of 84×84 pixels into
// maps of 5×5 positions.
func ExampleNetwork_Forward() {
	file := resnettest.Weights([]int{16, 16, 32, 32}, 84, 1) // else weights.Decode
	network, err := resnet.New(file, resnet.Options{Threads: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	maps, err := network.Forward(resnettest.Pictures(2, 84, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(maps.Shape, network.Channels())
	// Output: [2 5 5 32] 32
}
