package gallery

import (
	"errors"
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/kernel"
)

// errSummaries reports sets from different networks, or sets that were stored without their
// summary.
var errSummaries = errors.New("some pictures have a global descriptor and some do not: embed all with the same network")

// Global writes the global descriptor of a set to dst, [C]: the network's summary (a transformer's
// class token) if there is one, otherwise the mean of the nodes, with length 1. A zero vector stays
// zero and resembles nothing.
//
// It returns an error that wraps embed.ErrSet or match.ErrNotFinite for a set that cannot be
// matched.
func Global(dst []float32, set *embed.Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	sum := make([]float64, set.C)
	var square float64
	for i := range set.N {
		for c, v := range set.Node(i) {
			sum[c] += float64(v)
		}
	}
	for c, v := range set.Summary {
		square += sum[c] - sum[c] // NaN if a node is not finite
		sum[c] = float64(v)
	}
	for _, v := range sum {
		square += v * v
	}
	if math.IsNaN(square) || math.IsInf(square, 0) {
		return fmt.Errorf("%w: the picture or the weights are damaged", match.ErrNotFinite)
	}
	scale := 0.
	if square > 0 {
		scale = 1 / math.Sqrt(square)
	}
	for c, v := range sum {
		dst[c] = float32(v * scale)
	}
	return nil
}

// An index stores global descriptors as bytes, scaled to their largest value. The products with a
// query of 14-bit values are exact. The scale of a feature corrects its length after rounding, so
// the error in the cosine of similar pictures is only quadratic in the rounding error.

// mostByte is the largest stored value.
const mostByte = 127

// toBytes writes a feature of length 1 to dst, padded with zeros, and returns the scale of the
// bytes; 0 for a zero feature.
func toBytes(dst []byte, feature []float32) (scale float32) {
	clear(dst)
	unit := largest(feature) / mostByte
	if unit == 0 {
		return 0
	}
	square := 0.
	for i, v := range feature {
		whole := math.RoundToEven(float64(v / unit))
		dst[i] = byte(int8(whole))
		square += whole * whole
	}
	return float32(1 / math.Sqrt(square))
}

// fromBytes is the inverse of toBytes.
func fromBytes(dst []float32, bytes []byte, scale float32) {
	for i := range dst {
		dst[i] = float32(int8(bytes[i])) * scale
	}
}

// wholeQuery returns a query as integers, padded to the given number of channels, and their scale.
func wholeQuery(feature []float32, channels int) ([]int16, float64) {
	query := make([]int16, channels)
	scale := float64(largest(feature)) / float64(kernel.ScanMost(channels))
	if scale == 0 {
		return query, 0
	}
	for i, v := range feature {
		query[i] = int16(math.RoundToEven(float64(v) / scale))
	}
	return query, scale
}

func largest(values []float32) float32 {
	most := float32(0)
	for _, v := range values {
		most = max(most, v, -v)
	}
	return most
}
