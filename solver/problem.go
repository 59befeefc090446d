package solver

import (
	"errors"
	"fmt"
	"math"
)

// Errors of a Problem. Solve wraps them with the place and the remedy; test with
// errors.Is.
var (
	// ErrShape: a slice does not have the length that Rows and Cols ask for.
	ErrShape = errors.New("wrong shape")
	// ErrEmpty: no rows, no columns, or no weight at all.
	ErrEmpty = errors.New("empty problem")
	// ErrNotFinite: a cost or a weight is NaN or infinite.
	ErrNotFinite = errors.New("not finite")
	// ErrNegative: a weight is below zero. Costs may be negative.
	ErrNegative = errors.New("negative weight")
	// ErrUnbalanced: the supplies and the demands have different sums.
	ErrUnbalanced = errors.New("unbalanced")
)

// Imbalance is the largest relative difference between the sums of supply and
// demand that Solve takes for rounding; it then scales the demands. Weights that
// went through float32 or a decimal file of ten digits stay below it.
const Imbalance = 1e-9

// Problem is a balanced transportation problem between Rows sources and Cols
// sinks,
//
//	minimise   Σ_ij Cost_ij · x_ij
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

// Solution is an optimal flow with its certificate: by weak duality no flow
// costs less than U·Supply + V·Demand, and this one costs just that.
//
// The slices belong to the workspace that made them and hold until its next
// Solve.
type Solution struct {
	Objective float64   // Σ_ij Cost_ij · Flow_ij
	Flow      []float64 // [Rows, Cols], at most Rows+Cols−1 entries above zero
	U         []float64 // [Rows] duals: U_i + V_j ≤ Cost_ij, equal where Flow_ij > 0
	V         []float64 // [Cols]
	Pivots    int       // basis changes made
}

// Validate returns an error for a wrong shape or entry of p. Solve calls it, and
// checks the balance too.
func (p *Problem) Validate() error {
	if err := p.validateShape(); err != nil {
		return err
	}
	for i, c := range p.Cost {
		if !finite(c) {
			return fmt.Errorf("solver: cost of row %d, column %d is %v: %w; replace it by a finite cost (one some thousand times the others forbids the pair)", i/p.Cols, i%p.Cols, c, ErrNotFinite)
		}
	}
	if err := validateWeights("supply", p.Supply); err != nil {
		return err
	}
	return validateWeights("demand", p.Demand)
}

func (p *Problem) validateShape() error {
	if p.Rows <= 0 || p.Cols <= 0 {
		return fmt.Errorf("solver: problem of %d rows and %d columns: %w; give at least one of each", p.Rows, p.Cols, ErrEmpty)
	}
	if p.Rows+p.Cols > maxNodes || p.Rows+p.Cols < 0 {
		return fmt.Errorf("solver: problem of %d rows and %d columns: %w; at most %d rows and columns together", p.Rows, p.Cols, ErrShape, maxNodes)
	}
	if len(p.Supply) != p.Rows {
		return fmt.Errorf("solver: %d supplies for %d rows: %w; give one supply a row", len(p.Supply), p.Rows, ErrShape)
	}
	if len(p.Demand) != p.Cols {
		return fmt.Errorf("solver: %d demands for %d columns: %w; give one demand a column", len(p.Demand), p.Cols, ErrShape)
	}
	if len(p.Cost)/p.Cols != p.Rows || len(p.Cost)%p.Cols != 0 {
		return fmt.Errorf("solver: %d costs for %d rows and %d columns: %w; give one cost a pair, row after row", len(p.Cost), p.Rows, p.Cols, ErrShape)
	}
	return nil
}

func validateWeights(side string, weights []float64) error {
	for i, w := range weights {
		if !finite(w) {
			return fmt.Errorf("solver: %s %d is %v: %w; weights are finite numbers ≥ 0", side, i, w, ErrNotFinite)
		}
		if w < 0 {
			return fmt.Errorf("solver: %s %d is %v: %w; clamp weights to ≥ 0", side, i, w, ErrNegative)
		}
	}
	return nil
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
