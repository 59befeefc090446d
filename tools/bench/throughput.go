package main

import (
	"fmt"
	"runtime"
)

// manyPictures are shown at once where throughput is measured.
const manyPictures = 16

// throughput times pictures of which there are many: our pool of as many workers as the machine
// has cores, our one thread, and the peers. Everyone takes them in the batches that suit it best.
func (b *bench) throughput(ours tabSide, tabs []tabSide, sizes []int) error {
	for _, size := range sizes {
		sides := []peerSide{{name: "our one thread", measure: ours.measure("many", size, manyPictures)}}
		for _, t := range tabs {
			sides = append(sides, peerSide{name: t.name, measure: t.measure("many", size, manyPictures)})
		}
		workers := runtime.NumCPU()
		what := fmt.Sprintf("ResNet-12 (640), %d pictures, %d px, pool of %d workers", manyPictures, size, workers)
		note := func(ms float64) string { return fmt.Sprintf("%.1f pictures/s", manyPictures/ms*1e3) }
		if err := b.against(what, ours.measure("pool", size, manyPictures, workers), note, sides...); err != nil {
			return err
		}
	}
	return nil
}
