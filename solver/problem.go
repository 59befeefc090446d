package solver

import (
	"cmp"
	"errors"
	"math"
	"strconv"
)

// Errors of a Problem, for errors.Is. Returned errors wrap them with the place and the remedy.
var (
	// ErrShape reports a slice whose length differs from Rows and Cols, and too many rows and columns.
	ErrShape = errors.New("wrong shape")
	// ErrEmpty reports a problem without rows, columns or weight.
	ErrEmpty = errors.New("empty problem")
	// ErrNotFinite reports a cost or weight that is NaN or infinite.
	ErrNotFinite = errors.New("not finite")
	// ErrNegative reports a weight below zero. Costs may be negative.
	ErrNegative = errors.New("negative weight")
	// ErrUnbalanced reports supplies and demands with different sums.
	ErrUnbalanced = errors.New("unbalanced")
	// ErrOverflow reports an optimum or dual beyond the largest float64.
	ErrOverflow = errors.New("overflow")
)

// Imbalance is the largest relative difference between the sums of supply and demand that counts as
// rounding: Solve then scales the demands. Weights that are normalized in float32 stay below it.
const Imbalance = 1e-6

// Problem is a balanced transportation problem between Rows sources and Cols
// sinks,
//
//	minimize   Σ_ij Cost_ij · x_ij
//	such that  Σ_j x_ij = Supply_i,  Σ_i x_ij = Demand_j,  x ≥ 0,
//
// equation 1 of the DeepEMD paper (there Supply is s, Demand is d). Weights are
// non-negative, zero included; costs may have any sign.
type Problem struct {
	Rows, Cols int
	Cost       []float64 // [Rows, Cols], row after row
	Supply     []float64 // [Rows]
	Demand     []float64 // [Cols]
}

// Solution is an optimal flow with its certificate: by weak duality no flow costs less than
// U·Supply + V·Demand, which is the cost of this one.
//
// The slices belong to the Simplex and are valid until its next Solve.
type Solution struct {
	Objective float64   // Σ_ij Cost_ij · Flow_ij
	Flow      []float64 // [Rows, Cols], at most Rows+Cols−1 entries above zero
	U         []float64 // [Rows] duals: U_i + V_j ≤ Cost_ij, equal where Flow_ij > 0
	V         []float64 // [Cols]
	Pivots    int       // basis changes; if costs were lowered, of the last attempt
}

// Validate returns an error for a wrong shape or value. Solve calls it, and checks the balance too.
func (p *Problem) Validate() error {
	if err := p.validateShape(); err != nil {
		return err
	}
	for i, c := range p.Cost {
		if !finite(c) {
			return &fault{"cost of row " + strconv.Itoa(i/p.Cols) + ", column " + strconv.Itoa(i%p.Cols) + " is " + number(c), ErrNotFinite,
				"replace it by a finite cost (several thousand times the others forbids the pair)"}
		}
	}
	return cmp.Or(validateWeights("supply", p.Supply), validateWeights("demand", p.Demand))
}

func (p *Problem) validateShape() error {
	if p.Rows <= 0 || p.Cols <= 0 {
		return &fault{"problem of " + p.size(), ErrEmpty, "give at least one of each"}
	}
	if p.Rows+p.Cols > maxNodes {
		return &fault{"problem of " + p.size(), ErrShape, "at most " + strconv.Itoa(maxNodes) + " rows and columns together"}
	}
	if len(p.Supply) != p.Rows {
		return &fault{strconv.Itoa(len(p.Supply)) + " supplies for " + strconv.Itoa(p.Rows) + " rows", ErrShape, "give one supply per row"}
	}
	if len(p.Demand) != p.Cols {
		return &fault{strconv.Itoa(len(p.Demand)) + " demands for " + strconv.Itoa(p.Cols) + " columns", ErrShape, "give one demand per column"}
	}
	if len(p.Cost)/p.Cols != p.Rows || len(p.Cost)%p.Cols != 0 {
		return &fault{strconv.Itoa(len(p.Cost)) + " costs for " + p.size(), ErrShape, "give one cost per pair, row after row"}
	}
	return nil
}

func (p *Problem) size() string {
	return strconv.Itoa(p.Rows) + " rows and " + strconv.Itoa(p.Cols) + " columns"
}

func validateWeights(side string, weights []float64) error {
	for i, w := range weights {
		if !finite(w) {
			return &fault{side + " " + strconv.Itoa(i) + " is " + number(w), ErrNotFinite, "weights are finite numbers ≥ 0"}
		}
		if w < 0 {
			return &fault{side + " " + strconv.Itoa(i) + " is " + number(w), ErrNegative, "clamp weights to ≥ 0"}
		}
	}
	return nil
}

// weight returns the sum of the supplies, or an error unless the demands have the same sum.
func (p *Problem) weight() (float64, error) {
	supply, demand := sum(p.Supply), sum(p.Demand)
	switch {
	case supply == 0 && demand == 0:
		return 0, noWeight()
	case !finite(supply) || !finite(demand):
		return 0, overflow()
	case math.Abs(supply-demand) > Imbalance*max(supply, demand):
		return 0, unbalanced(supply, demand)
	}
	return supply, nil
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

func dot(a, b []float64) (total float64) {
	for i, v := range a {
		total += v * b[i]
	}
	return total
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
