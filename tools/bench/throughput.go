package main

import (
	"fmt"
	"runtime"
)

// manyPictures is the number of pictures for measurements of throughput.
const manyPictures = 16

// throughput times many pictures: our pool with an engine for each core, our single thread, and the
// peers, which use their fastest batch size.
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
