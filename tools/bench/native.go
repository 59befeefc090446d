package main

import (
	"fmt"
	"time"

	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
)

// request is a request to tools/peers/torch_peer.py.
type request struct {
	What    string `json:"what"`
	Size    int    `json:"size"`
	Batch   int    `json:"batch,omitempty"`
	Threads int    `json:"threads,omitempty"`
	// BFloat16 selects automatic mixed precision.
	BFloat16 bool   `json:"bfloat16,omitempty"`
	Device   string `json:"device,omitempty"` // of PyTorch, instead of the processor
	Path     string `json:"path,omitempty"`
}

// timed returns the duration of run in milliseconds.
func timed(run func() error) (float64, error) {
	start := time.Now()
	err := run()
	return float64(time.Since(start).Nanoseconds()) / 1e6, err
}

// native times the inference network.
func native(b *bench) error {
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	best, err := fastest()
	if err != nil {
		return err
	}
	for _, size := range []int{84, 32} {
		for _, batch := range []int{1, 16} {
			for _, threads := range []int{1, 2} {
				net, err := core.New(networktest.ResNet12(networktest.Full, size, 1), core.Options{Threads: threads})
				if err != nil {
					return err
				}
				x := networktest.Pictures(batch, size, 1)
				ours := func() (float64, error) {
					return timed(func() error { _, err := net.Forward(x); return err })
				}
				flops := float64(batch) * core.FLOPs(networktest.Full, size, size)
				what := fmt.Sprintf("%d px, batch %d, threads %d", size, batch, threads)
				note := func(ms float64) string { return fmt.Sprintf("%.0f GFLOP/s", flops/ms/1e6) }
				peers := []peerSide{torch.measure(request{What: "forward", Size: size, Batch: batch, Threads: threads})}
				if best == "bfloat16" { // on other machines PyTorch lacks or emulates it
					mixed := torch.measure(request{What: "forward", Size: size, Batch: batch, Threads: threads, BFloat16: true})
					mixed.name += " bfloat16"
					peers = append(peers, mixed)
				}
				if err := b.against(what, ours, note, peers...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
