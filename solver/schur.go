package solver

import (
	"math"
	"slices"
	"strconv"
)

// schur solves the linear systems of the interior point method and of Sinkhorn,
//
//	D·dx − Aᵀ·dy = r,   A·dx = b,   D = diag(1/θ) + γ·c·cᵀ,
//
// where A sums an m×k flow over rows and columns. It solves for the duals first: (A·D⁻¹·Aᵀ)·dy = b
// − A·D⁻¹·r. Without c·cᵀ that matrix is
//
//	⎡ diag(Σ_j θ)      θ       ⎤
//	⎣     θᵀ       diag(Σ_i θ) ⎦ ,
//
// which is singular in one direction: the last dual is fixed at zero. The upper left block is
// diagonal, so only its Schur complement, a (k−1)-square matrix, is factored. The Sherman–Morrison
// formula adds the rank-one term.
type schur struct {
	m, k  int
	theta []float64 // [m, k], set before factor

	cost       []float64
	gamma      float64
	rows       []float64 // [m] Σ_j θ
	factorized []float64 // [k−1, k−1] lower Cholesky factor
	scaled     []float64 // [m, k] θ divided by its row's sum

	// Terms of the rank-one update: h = θ·c, along = A·D₀⁻¹·c, solved = M⁻¹·along.
	h, along, solved []float64
	rankPivot        float64 // 1/γ + c·θ·c
	rhs              []float64
}

func (s *schur) resize(m, k int) {
	s.m, s.k = m, k
	s.theta, s.scaled, s.h = slices.Grow(s.theta[:0], m*k)[:m*k], slices.Grow(s.scaled[:0], m*k)[:m*k], slices.Grow(s.h[:0], m*k)[:m*k]
	s.rows = slices.Grow(s.rows[:0], m)[:m]
	s.factorized = slices.Grow(s.factorized[:0], k*k)[:k*k]
	s.along, s.solved = slices.Grow(s.along[:0], m+k)[:m+k], slices.Grow(s.solved[:0], m+k)[:m+k]
	s.rhs = slices.Grow(s.rhs[:0], m+k)[:m+k]
}

// pivotFloor is the smallest pivot that is not rounding, relative to the largest diagonal element. Below
// it the basis consists of unconnected parts (a degenerate vertex), and any split of the duals between
// them is valid: the pivot becomes infinite, so that its dual is zero (Wright, SIAM Journal on
// Optimization 9, 1999).
const pivotFloor = 1e-13

// factor factors the matrix for the current θ.
func (s *schur) factor(cost []float64, gamma float64) error {
	m, k, n := s.m, s.k, s.k-1
	s.cost, s.gamma = cost, gamma
	l := s.factorized[:n*n]
	clear(l)
	diagonal := s.rhs[:k]
	clear(diagonal)
	for i := range m {
		theta, scaled := s.theta[i*k:][:k], s.scaled[i*k:][:k]
		total := sum(theta)
		s.rows[i] = total
		for j, t := range theta {
			scaled[j] = t / total
			diagonal[j] += t
		}
		for a := range n {
			f, row := scaled[a], l[a*n:][:a+1]
			for b := range row {
				row[b] -= f * theta[b]
			}
		}
	}
	for a := range n {
		// Σ_i θ_ia·(1 − θ_ia/Σ_j θ_ij), without cancellation.
		exact := 0.0
		for i := range m {
			exact += s.theta[i*k+a] * s.othersShare(i, a)
		}
		l[a*n+a] = exact
	}
	if err := cholesky(l, n, diagonal); err != nil {
		return err
	}
	if gamma != 0 {
		s.rankOne()
	}
	return nil
}

// othersShare returns the share of columns other than a in the θ of row i.
func (s *schur) othersShare(i, a int) float64 {
	if share := s.scaled[i*s.k+a]; share < 0.5 {
		return 1 - share
	}
	sum := 0.0
	for j, t := range s.theta[i*s.k:][:s.k] {
		if j != a {
			sum += t
		}
	}
	return sum / s.rows[i]
}

// cholesky factors the lower triangle of the n-square matrix l in place. diagonal holds the
// minuends of its diagonal, as the scale for pivotFloor.
func cholesky(l []float64, n int, diagonal []float64) error {
	floor := pivotFloor * slices.Max(diagonal)
	for a := range n {
		row := l[a*n:][:a+1]
		for b := range a {
			other := l[b*n:][:b+1]
			sum := row[b]
			for c, v := range other[:b] {
				sum -= v * row[c]
			}
			row[b] = sum / other[b]
		}
		pivot := row[a]
		for _, v := range row[:a] {
			pivot -= v * v
		}
		if pivot <= floor && floor > 0 {
			row[a] = math.Inf(1)
			continue
		}
		if !(pivot > 0) || math.IsInf(pivot, 0) {
			return &fault{"pivot " + strconv.Itoa(a+1) + " of the linear system is " + number(pivot), ErrConvergence, "raise Strength or Epsilon, or use the exact flow (ConstantFlow)"}
		}
		row[a] = math.Sqrt(pivot)
	}
	return nil
}

// rankOne prepares the rank-one term.
func (s *schur) rankOne() {
	s.rankPivot = 1 / s.gamma
	clear(s.along)
	for e, c := range s.cost {
		s.h[e] = s.theta[e] * c
		s.rankPivot += s.h[e] * c
		s.along[e/s.k] += s.h[e]
		s.along[s.m+e%s.k] += s.h[e]
	}
	copy(s.solved, s.along)
	s.duals(s.solved)
	for i, v := range s.along {
		s.rankPivot -= v * s.solved[i]
	}
	// Only rounding makes it smaller.
	s.rankPivot = max(s.rankPivot, 1/s.gamma)
}

// duals solves M·y = v in place, for the matrix M without the rank-one term and with the last entry
// of y fixed at zero.
func (s *schur) duals(v []float64) {
	m, k, n := s.m, s.k, s.k-1
	rows, cols := v[:m], v[m:][:k]
	for i, b := range rows {
		for j, f := range s.scaled[i*k:][:k] {
			cols[j] -= f * b
		}
	}
	l := s.factorized[:n*n]
	for a := range n {
		sum := cols[a]
		for c, f := range l[a*n:][:a] {
			sum -= f * cols[c]
		}
		cols[a] = sum / l[a*n+a]
	}
	for a := n - 1; a >= 0; a-- {
		cols[a] /= l[a*n+a]
		for c, f := range l[a*n:][:a] {
			cols[c] -= f * cols[a]
		}
	}
	cols[n] = 0
	for i := range rows {
		sum := rows[i]
		for j, t := range s.theta[i*k:][:k] {
			sum -= t * cols[j]
		}
		rows[i] = sum / s.rows[i]
	}
}

// solve computes dx [m, k] and dy [m+k] for r [m, k] and b [m+k]. dy must not alias b, nor dx alias
// r.
func (s *schur) solve(dx, dy, r, b []float64) {
	m, k := s.m, s.k
	// D⁻¹·r = θ·r − h·(h·r)/(1/γ + c·θ·c). The second part is added at the end, with the same part
	// of Aᵀ·dy.
	copy(dy, b)
	for i := range m {
		for j := range k {
			e := i*k + j
			t := s.theta[e] * r[e]
			dy[i] -= t
			dy[m+j] -= t
		}
	}
	s.duals(dy)
	for i := range m {
		for j := range k {
			e := i*k + j
			dx[e] = s.theta[e] * (r[e] + dy[i] + dy[m+j])
		}
	}
	if s.gamma == 0 {
		return
	}
	// Without the rank-one term (dx, dy) solves the system. The term adds a multiple of the
	// solution for r = −c, b = 0: dy' = solved, dx' = θ·(Aᵀ·solved − c).
	pull := dot(s.cost, dx) / s.rankPivot
	for i := range m {
		for j := range k {
			e := i*k + j
			dx[e] += pull * s.theta[e] * (s.solved[i] + s.solved[m+j] - s.cost[e])
		}
	}
	for i := range dy[:m+k] {
		dy[i] += pull * s.solved[i]
	}
}
