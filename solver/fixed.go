package solver

import (
	"math"
	"math/bits"
	"slices"
)

const (
	signBit = 1 << 63
	// infBits are the bits of +Inf. Finite numbers without sign have smaller bits, and NaNs have
	// larger ones.
	infBits = 0x7ff << 52
)

// loadWeights converts the weights to integers in s.weight, rows before columns. It drops nodes
// without weight and balances both sides exactly. It returns the binary exponent of the scaling.
func (s *Simplex) loadWeights(p *Problem) (scale int, err error) {
	top := max(maxAbsBits(p.Supply), maxAbsBits(p.Demand))
	if top >= infBits {
		return 0, p.Validate()
	}
	if top == 0 {
		return 0, noWeight()
	}
	// Any sum of weights of one side stays below 2⁶¹.
	scale = 61 - exponent(top) - bits.Len(uint(max(p.Rows, p.Cols)))
	s.rows = slices.Grow(s.rows[:0], p.Rows)
	s.cols = slices.Grow(s.cols[:0], p.Cols)
	s.weight = slices.Grow(s.weight[:0], p.Rows+p.Cols)
	f, g := pow2(scale)
	load := func(nodes *[]int32, weights []float64) (sum int64) {
		for i, w := range weights {
			x := int64(w*f*g + 0.5)
			if w < 0 {
				err = p.Validate()
			}
			if x > 0 {
				*nodes = append(*nodes, int32(i))
				s.weight = append(s.weight, x)
				sum += x
			}
		}
		return sum
	}
	supply := load(&s.rows, p.Supply)
	m := len(s.weight)
	demand := load(&s.cols, p.Demand)
	if err != nil {
		return 0, err
	}
	if math.Abs(float64(supply-demand)) > Imbalance*float64(max(supply, demand)) {
		a, b := float64(supply)/f/g, float64(demand)/f/g
		return 0, unbalanced(a, b)
	}
	balance(s.weight[m:], demand, supply)
	return scale, nil
}

// balance changes the sum of weights to another one close by, in proportion.
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
	weights[largest] += rest
}

// loadCosts converts the costs between nodes with weight to integers in s.cost, and centers them:
// it subtracts the means of row and column, weighted by the weights of the other side. This shifts
// the duals by s.mean, and makes costs comparable across rows, as the start requires. It returns
// the binary exponent of the scaling.
func (s *Simplex) loadCosts(p *Problem) (scale int, err error) {
	top := maxAbsBits(p.Cost)
	if top >= infBits {
		return 0, p.Validate()
	}
	m, k := len(s.rows), len(s.cols)
	if m < p.Rows || k < p.Cols {
		top = s.largestCost(p)
	}
	// A centered cost is at most four times the largest cost, a potential is the sum of at most
	// m+k−1 centered costs, and a reduced cost is the sum of three such numbers. All stay below
	// 2⁶².
	scale = 58 - exponent(top) - bits.Len(uint(m+k))
	f, g := pow2(scale)
	s.stride = (k + sweepLanes - 1) &^ (sweepLanes - 1)
	s.cost = slices.Grow(s.cost[:0], m*s.stride)[:m*s.stride]
	s.mean = slices.Grow(s.mean[:0], m+k)[:m+k]
	s.columnMean = slices.Grow(s.columnMean[:0], k)[:k]
	clear(s.columnMean)
	s.shareWeights(m)

	total := 0.0
	for i, r := range s.rows {
		src := p.Cost[int(r)*p.Cols:][:p.Cols]
		if k < p.Cols {
			src = s.gather(src)
		}
		mean := s.loadRow(s.cost[i*s.stride:][:k], src, s.share[m:], s.share[i], f, g)
		s.mean[i] = int64(mean)
		total += mean * s.share[i]
	}
	for j, mean := range s.columnMean {
		s.mean[m+j] = int64(mean - total)
	}
	s.center(m, k)
	return scale, nil
}

// shareWeights writes the share of each node in the weight of its side to s.share.
func (s *Simplex) shareWeights(m int) {
	s.share = slices.Grow(s.share[:0], len(s.weight))[:len(s.weight)]
	sum := 0.0
	for _, w := range s.weight[:m] {
		sum += float64(w)
	}
	for x, w := range s.weight {
		s.share[x] = float64(w) / sum
	}
}

// largestCost returns the bits of the largest absolute cost between nodes with weight. Other costs
// must not set the scale: a huge cost that no flow can pay would round the others away.
func (s *Simplex) largestCost(p *Problem) (top uint64) {
	for _, r := range s.rows {
		top = max(top, maxAbsBits(s.gather(p.Cost[int(r)*p.Cols:][:p.Cols])))
	}
	return top
}

// gather returns the costs of the columns with weight, in s.gathered.
func (s *Simplex) gather(src []float64) []float64 {
	s.gathered = slices.Grow(s.gathered[:0], len(s.cols))[:len(s.cols)]
	for j, c := range s.cols {
		s.gathered[j] = src[c]
	}
	return s.gathered
}

// loadRow converts a row of costs, scaled by f·g, to integers, adds it to the columns' means with
// the weight rowShare, and returns the row's mean weighted by shares.
func (s *Simplex) loadRow(dst []int64, src, shares []float64, rowShare, f, g float64) (mean float64) {
	columnMean := s.columnMean[:len(src)]
	dst, shares = dst[:len(src)], shares[:len(src)]
	for j, c := range src {
		x := c * f * g
		dst[j] = int64(x)
		columnMean[j] += x * rowShare
		mean += x * shares[j]
	}
	return mean
}

// center subtracts the means from the costs, and fills rows up to the stride with the cost never.
func (s *Simplex) center(m, k int) {
	col := s.mean[m:][:k]
	for i, mean := range s.mean[:m] {
		row := s.cost[i*s.stride:][:s.stride]
		for j, c := range col {
			row[j] -= mean + c
		}
		for j := k; j < len(row); j++ {
			row[j] = never
		}
	}
}

// maxAbsBits returns the bits of the largest absolute value. NaN counts as the largest.
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

// maxAbs returns the largest absolute value.
func maxAbs(xs []float64) float64 { return math.Float64frombits(maxAbsBits(xs)) }

// exponent returns e with x < 2^e for the bits of a finite x ≥ 0.
func exponent(b uint64) int {
	if b>>52 == 0 {
		return bits.Len64(b) - 1074
	}
	return int(b>>52) - 1022
}

// pow2 returns two factors with the product 2^e, because 2^e may be out of range.
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
