package resnet

// FLOPs is the number of multiplications and additions of the convolutions, by
// their definition, for one picture of h×w pixels. Figures in GFLOP/s count this
// work, however few operations an algorithm needs.
func FLOPs(widths []int, h, w int) float64 {
	flops, in := 0.0, 3
	for _, out := range widths {
		taps := 9*in + 2*9*out + in
		flops += 2 * float64(h) * float64(w) * float64(out) * float64(taps)
		in, h, w = out, h/2, w/2
	}
	return flops
}
