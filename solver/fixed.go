package solver

import (
	"fmt"
	"math"
	"math/bits"
)

const (
	signBit = 1 << 63
	// infBits are the bits of +Inf: those of any finite number without its sign
	// are below, those of NaN above.
	infBits = 0x7ff << 52
)

// loadWeights writes the weights as integers into s.weight, rows before columns,
// drops the nodes without weight and makes both sides balance exactly. It
// returns the binary exponent by which weights were scaled.
func (s *Simplex) loadWeights(p *Problem) (scale int, err error) {
	top := max(maxAbsBits(p.Supply), maxAbsBits(p.Demand))
	if top >= infBits {
		return 0, p.Validate()
	}
	if top == 0 {
		return 0, fmt.Errorf("solver: all weights are zero: %w; give at least one supply and one demand above zero", ErrEmpty)
	}
	// Any sum of weights of one side stays below 2⁶¹.
	scale = 61 - exponent(top) - bits.Len(uint(max(p.Rows, p.Cols)))
	s.rows = resize(s.rows, p.Rows)[:0]
	s.cols = resize(s.cols, p.Cols)[:0]
	s.weight = resize(s.weight, p.Rows+p.Cols)[:0]
	var supply, demand int64
	f, g := pow2(scale)
	for i, w := range p.Supply {
		x := int64(w*f*g + 0.5)
		if w < 0 {
			return 0, p.Validate()
		}
		if x > 0 {
			s.rows = append(s.rows, int32(i))
			s.weight = append(s.weight, x)
			supply += x
		}
	}
	m := len(s.weight)
	for j, w := range p.Demand {
		x := int64(w*f*g + 0.5)
		if w < 0 {
			return 0, p.Validate()
		}
		if x > 0 {
			s.cols = append(s.cols, int32(j))
			s.weight = append(s.weight, x)
			demand += x
		}
	}
	if supply != demand {
		if math.Abs(float64(supply-demand)) > Imbalance*float64(max(supply, demand)) {
			a, b := float64(supply)/f/g, float64(demand)/f/g
			return 0, fmt.Errorf("solver: supplies sum to %g, demands to %g: %w; scale one side to the sum of the other", a, b, ErrUnbalanced)
		}
		balance(s.weight[m:], demand, supply)
	}
	return scale, nil
}

// balance scales weights, whose sum is given, to another sum close by.
func balance(weights []int64, sum, want int64) {
	rest := want - sum
	ratio := float64(rest) / float64(sum)
	largest := 0
	for j, w := range weights {
		d := int64(float64(w) * ratio)
		weights[j] += d
		rest -= d
		if weights[j] > weights[largest] {
			largest = j
		}
	}
	weights[largest] += rest // a few units of the last place
}

// loadCosts writes the costs between nodes with weight as integers into s.cost
// and centres them. It returns the binary exponent by which costs were scaled.
func (s *Simplex) loadCosts(p *Problem) (scale int, err error) {
	top := maxAbsBits(p.Cost)
	if top >= infBits {
		return 0, p.Validate()
	}
	m, k := len(s.rows), len(s.cols)
	// Centring takes at most four times the largest cost, a potential is the sum
	// of at most m+k−1 of those and a reduced cost of three such numbers: all
	// stays below 2⁶².
	scale = 58 - exponent(top) - bits.Len(uint(m+k))
	s.cost = resize(s.cost, m*k)
	s.mean = resize(s.mean, m+k)
	clear(s.mean)
	f, g := pow2(scale)
	col := s.mean[m:]
	for i, r := range s.rows {
		src := p.Cost[int(r)*p.Cols:][:p.Cols]
		dst := s.cost[i*k:][:k]
		if k == p.Cols && g == 1 {
			s.mean[i] = loadRow(dst, src, col, f)
		} else {
			var sum int64
			for j, c := range s.cols {
				x := int64(src[c] * f * g)
				dst[j] = x
				col[j] += x
				sum += x
			}
			s.mean[i] = sum
		}
	}
	s.centre(m, k)
	return scale, nil
}

// centre replaces the sums in s.mean by means and takes them from the costs.
func (s *Simplex) centre(m, k int) {
	var total int64
	for i := range s.mean[:m] {
		s.mean[i] /= int64(k)
		total += s.mean[i]
	}
	total /= int64(m)
	col := s.mean[m:][:k]
	for j := range col {
		col[j] = col[j]/int64(m) - total
	}
	for i, mean := range s.mean[:m] {
		row := s.cost[i*k:][:k]
		for j, c := range col[:len(row)] {
			row[j] -= mean + c
		}
	}
}

// loadRow writes a row of costs as integers, adds them to the columns' sums and
// returns the row's sum.
func loadRow(dst []int64, src []float64, col []int64, f float64) (sum int64) {
	dst = dst[:len(src)]
	col = col[:len(src)]
	for j, c := range src {
		x := int64(c * f)
		dst[j] = x
		col[j] += x
		sum += x
	}
	return sum
}

// maxAbsBits returns the bits of the largest absolute value; NaN counts as the
// largest of all.
func maxAbsBits(xs []float64) uint64 {
	var a, b uint64
	n := len(xs) &^ 1
	for i := 0; i < n; i += 2 {
		a = max(a, math.Float64bits(xs[i])&^signBit)
		b = max(b, math.Float64bits(xs[i+1])&^signBit)
	}
	if n < len(xs) {
		a = max(a, math.Float64bits(xs[n])&^signBit)
	}
	return max(a, b)
}

// exponent returns e with x < 2^e for the finite x ≥ 0 of the given bits.
func exponent(b uint64) int {
	if b>>52 == 0 {
		return bits.Len64(b) - 1074
	}
	return int(b>>52) - 1022
}

// pow2 returns two factors whose product is 2^e: one factor may be out of range.
func pow2(e int) (f, g float64) {
	h := 0
	switch {
	case e > 1000:
		h = 1000
	case e < -1000:
		h = -1000
	}
	return math.Float64frombits(uint64(e-h+1023) << 52), math.Float64frombits(uint64(h+1023) << 52)
}
