package bfloat16

import "github.com/deepemd/deepemd/internal/nn"

// Blend replaces each picture by share times itself plus 1 − share times its partner, rounded.
// partners is a permutation of the pictures.
func (m *Map) Blend(ctx *nn.Context, share float32, partners []int) {
	lines(ctx, m, func(block, y int) {
		held := make([]uint32, m.N*words)
		for x := range m.W {
			rows := m.pixel(block, y, x)
			copy(held, rows)
			for n, p := range partners {
				own, other := held[n*words:][:words], held[p*words:][:words]
				for i, w := range own {
					rows[n*words+i] = pair(share*low(w)+(1-share)*low(other[i]), share*high(w)+(1-share)*high(other[i]))
				}
			}
		}
	})
}
