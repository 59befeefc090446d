// Command wasmbench is our side of the benchmarks in Chromium: a global object with the inference
// network.
package main

import (
	"syscall/js"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/tensor"
)

// network is the full-width network for one size of picture.
type network struct {
	net      backbone.Network
	pictures map[int]*tensor.Tensor // by batch size
}

func main() {
	networks := map[int]network{}
	js.Global().Set("deepemdBench", map[string]any{
		"kernels": kernel.Name(),
		"forward": js.FuncOf(func(_ js.Value, args []js.Value) any {
			size, batch := args[0].Int(), args[1].Int()
			n, ok := networks[size]
			if !ok {
				net, err := backbone.New(networktest.ResNet12(networktest.Full, size, 1), backbone.Options{Threads: 1})
				if err != nil {
					return err.Error()
				}
				clear(networks) // only one network in memory
				n = network{net, map[int]*tensor.Tensor{}}
				networks[size] = n
			}
			if n.pictures[batch] == nil {
				n.pictures[batch] = networktest.Pictures(batch, size, 1)
			}
			if _, err := n.net.Forward(n.pictures[batch]); err != nil {
				return err.Error()
			}
			return nil
		}),
	})
	js.Global().Call("deepemdBenchReady")
	select {}
}
