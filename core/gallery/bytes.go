package gallery

import (
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Global features lie in an index as whole numbers of a byte, each feature scaled to its
// largest value. Their products with a query, whose values have 14 bits, are exact. What
// rounding does to a feature's length its scale takes back: then it moves cosines of pictures
// that are much alike by its square alone.

// mostByte is the largest value of a byte.
const mostByte = 127

// toBytes writes a feature of length 1 into dst, filled up with zeros, and returns the scale
// of its whole numbers; 0 for a feature of zeros.
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

// wholeQuery is a query in whole numbers, filled up to so many channels, and their scale.
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
