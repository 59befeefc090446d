package bfloat16

var generic = Kernels{
	emit:        genericEmit,
	emitThrough: genericEmitThrough,
	normalize:   genericNormalize,
	join:        genericJoin,
	pool:        genericPool,
	unpool:      genericUnpool,
	interleave:  genericInterleave,
	pairs:       genericPairs,
	spread:      genericSpread,
}

// at returns the sum of channel i, in the order of [channels], in a row.
func at(c []float32, row, i int) float32 { return c[row*blockChannels+i] }

func genericEmit(dst []uint32, c []float32, valid int, m *moments) {
	for row := range len(dst) / words {
		for j := range words {
			even, odd := at(c, row, j), at(c, row, j+words)
			if row >= valid {
				even, odd = 0, 0
			}
			dst[row*words+j] = pair(even, odd)
			if m != nil {
				m[0][j] += even
				m[0][j+words] += odd
				m[1][j] += even * even
				m[1][j+words] += odd * odd
			}
		}
	}
}

func genericEmitThrough(dst []uint32, c []float32, y, z []uint32, valid int, slope float32, m *moments) {
	for row := range len(dst) / words {
		for j := range words {
			w, v := y[row*words+j], z[row*words+j]
			even, odd := unleak(at(c, row, j), low(w), slope), unleak(at(c, row, j+words), high(w), slope)
			if row >= valid {
				even, odd = 0, 0
			}
			dst[row*words+j] = pair(even, odd)
			m[0][j] += even
			m[0][j+words] += odd
			m[1][j] += even * low(v)
			m[1][j+words] += odd * high(v)
		}
	}
}

func unleak(g, y, slope float32) float32 {
	if y < 0 {
		return g * slope
	}
	return g
}

func genericNormalize(dst, z []uint32, p *[2]channels, slope float32) {
	for i, w := range z {
		j := i % words
		even, odd := low(w)*p[0][j]+p[1][j], high(w)*p[0][j+words]+p[1][j+words]
		dst[i] = pair(max(even, even*slope), max(odd, odd*slope))
	}
}

func genericJoin(dst, z, s []uint32, p *[3]channels, slope float32) {
	for i, w := range z {
		j, v := i%words, s[i]
		even := low(w)*p[0][j] + (low(v)*p[1][j] + p[2][j])
		odd := high(w)*p[0][j+words] + (high(v)*p[1][j+words] + p[2][j+words])
		dst[i] = pair(max(even, even*slope), max(odd, odd*slope))
	}
}

func genericPool(dst, a, b, c, d []uint32) {
	for i := range dst {
		dst[i] = pair(
			max(low(a[i]), low(b[i]), low(c[i]), low(d[i])),
			max(high(a[i]), high(b[i]), high(c[i]), high(d[i])))
	}
}

func genericUnpool(dst *[4][]uint32, g []uint32, sum, z, s *[4][]uint32, slope float32, m *[3]channels) {
	for i, w := range g {
		j := i % words
		var out [4][2]float32
		for half, value := range [2]func(uint32) float32{low, high} {
			first := 0
			for k := range sum {
				if value(sum[k][i]) > value(sum[first][i]) {
					first = k
				}
			}
			v := unleak(value(w), value(sum[first][i]), slope)
			out[first][half] = v
			c := j + half*words
			m[0][c] += v
			m[1][c] += v * value(z[first][i])
			m[2][c] += v * value(s[first][i])
		}
		for k := range out {
			dst[k][i] = pair(out[k][0], out[k][1])
		}
	}
}

func genericInterleave(dst, src []uint32) {
	for term := range len(src) / words / 2 {
		for j := range words {
			first, second := src[2*term*words+j], src[(2*term+1)*words+j]
			dst[term*16+j] = first&0xffff | second<<16
			dst[(16+term)*16+j] = first>>16 | second&^0xffff
		}
	}
}

func genericPairs(dst []uint32, src []float32, stride int) {
	for term := range group / 2 {
		first, second := src[2*term*stride:], src[(2*term+1)*stride:]
		for j := range words {
			dst[term*16+j] = pair(first[2*j], second[2*j])
			dst[(16+term)*16+j] = pair(first[2*j+1], second[2*j+1])
		}
	}
}

// genericSpread reads transposed rows of A, with the even channels first.
func genericSpread(dst []float32, stride int, c []float32) {
	for row := range group {
		out := dst[(row%16*2+row/16)*stride:]
		for j := range words {
			out[2*j], out[2*j+1] = at(c, row, j), at(c, row, j+words)
		}
	}
}

// transpose converts a block of B from interleave to a block of A, whose rows are channels and
// whose columns are images.
func transpose(dst, interleaved []uint32, pictures int) {
	for half := range 2 {
		to, from := (*[256]uint32)(dst[half*256:]), (*[256]uint32)(interleaved[half*256:])
		for i := range pictures / 2 {
			for j := range 16 {
				to[j*16+i] = from[i*16+j]
			}
		}
	}
}
