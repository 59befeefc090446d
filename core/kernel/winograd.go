package kernel

// WinogradFilter returns G of F(t×t, 3×3), t = 2 or 4, [t+2][3]: the filter's
// transform is U = G·g·Gᵀ, to be multiplied with what [Set.WinogradInput] gives.
func WinogradFilter(t int) [][3]float64 {
	if t == 2 {
		return [][3]float64{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}}
	}
	return [][3]float64{
		{1. / 4, 0, 0},
		{-1. / 6, -1. / 6, -1. / 6},
		{-1. / 6, 1. / 6, -1. / 6},
		{1. / 24, 1. / 12, 1. / 6},
		{1. / 24, -1. / 12, 1. / 6},
		{0, 0, 1},
	}
}
