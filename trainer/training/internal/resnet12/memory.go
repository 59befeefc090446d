package resnet12

import "math"

// Memory is how many bytes a backbone of some widths takes at least to train with so
// many pictures of size×size pixels at once, in bfloat16 where mixed is set: weights,
// their gradients and momentum, the maps that a backward pass needs, and the pictures. It
// is +Inf rather than wrong for numbers that no machine has room for.
func Memory(widths []int, size, pictures int, mixed bool) float64 {
	const float = 4
	maps := 9. * float // of each value that a block computes: see block and half
	if mixed {
		maps = 12 * 2
	}
	side, n := float64(size), float64(pictures)
	in, values, weights := 3., 0., 0.
	for _, w := range widths {
		out := float64(w)
		weights += (9+1)*in*out + 2*9*out*out
		values += n * out * side * side
		in, side = out, math.Floor(side/2)
	}
	return 3*float*weights + maps*values + n*3*float*float64(size)*float64(size)
}
