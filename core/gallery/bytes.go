package gallery

import (
	"math"

	"github.com/deepemd/deepemd/core/kernel"
)

// Global features lie in an index as whole numbers of a byte, each feature scaled to its
// largest value. Their products with a query, whose values have 14 bits, are exact.

// mostByte is the largest value of a byte.
const mostByte = 127

// toBytes writes a feature into dst, filled up with zeros, and returns its scale.
func toBytes(dst []byte, feature []float32) (scale float32) {
	clear(dst)
	scale = largest(feature) / mostByte
	if scale == 0 {
		return 0
	}
	for i, v := range feature {
		dst[i] = byte(int8(math.RoundToEven(float64(v / scale))))
	}
	return scale
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
