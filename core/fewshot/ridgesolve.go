package fewshot

import "math"

// learn brings the layer up to date with the examples. With the inputs X centred by
// their weighted mean μ, targets Y, and the diagonal matrix D of λ over the examples'
// weights, the layer is Xᵀ·A where A = (X·Xᵀ + D)⁻¹·Y.
func (r *RidgeHead) learn() {
	if !r.stale {
		return
	}
	n, way, strength := len(r.examples), len(r.classes), r.Strength
	if strength == 0 {
		strength = ridgeStrength
	}
	share := make([]float64, n) // weights of examples, which sum to 1
	for i, e := range r.examples {
		share[i] = 1 / float64(way*r.classes[e.class])
	}
	system := r.centred(share)
	for i := range n {
		system[i][i] += strength / (share[i] * float64(n))
	}
	factor(system)
	size := (r.nodes + 1) * r.channels
	r.weights, r.bias = make([]float32, way*size), make([]float64, way)
	answers := make([][]float64, way)
	for class := range way {
		column := make([]float64, n)
		answers[class] = column
		for i, e := range r.examples {
			column[i] = r.target(e.class, class)
		}
		solve(system, column)
		layer, total := r.weights[class*size:][:size], 0.0
		for _, v := range column {
			total += v
		}
		// Inputs less their mean, times A, are inputs times A less its sum's share.
		for i, e := range r.examples {
			e.add(layer, column[i]-total*share[i])
		}
		centre(layer[:r.nodes*r.channels], r.channels)
		for i, e := range r.examples {
			r.bias[class] -= share[i] * e.product(layer)
		}
	}
	r.leaveOut(system, answers, share, strength)
	r.stale = false
}

// target is what an example of a class is to score for another, less the mean.
func (r *RidgeHead) target(own, class int) float64 {
	y := -1 / float64(len(r.classes))
	if own == class {
		y++
	}
	return y
}

// centred is the lower half of the products of the inputs less their weighted mean.
func (r *RidgeHead) centred(share []float64) [][]float64 {
	n := len(r.gram)
	mean := make([]float64, n) // products with the mean
	for i, row := range r.gram {
		for j, v := range row {
			mean[i] += share[j] * v
			if j < i {
				mean[j] += share[i] * v
			}
		}
	}
	var square float64
	for i, v := range mean {
		square += share[i] * v
	}
	rows := make([][]float64, n)
	for i, row := range r.gram {
		rows[i] = make([]float64, i+1)
		for j, v := range row {
			rows[i][j] = v - mean[i] - mean[j] + square
		}
	}
	return rows
}

// factor replaces the lower half of a positive definite matrix by its Cholesky factor.
func factor(a [][]float64) {
	for i, row := range a {
		for j := range row {
			sum := row[j]
			other := a[j][:j]
			for k, v := range other {
				sum -= row[k] * v
			}
			if i == j {
				row[i] = math.Sqrt(sum)
			} else {
				row[j] = sum / a[j][j]
			}
		}
	}
}

// solve replaces the right side of L·Lᵀ·x = b by x.
func solve(l [][]float64, b []float64) {
	for i, row := range l {
		for k, v := range row[:i] {
			b[i] -= v * b[k]
		}
		b[i] /= row[i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		b[i] /= l[i][i]
		for k, v := range l[i][:i] {
			b[k] -= v * b[i]
		}
	}
}
