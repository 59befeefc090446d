package backbone

import (
	"math"

	"github.com/deepemd/deepemd/internal/nn"
)

// heNormal is the standard deviation of weights by He et al., "Delving Deep into
// Rectifiers" (2015), for a leaky ReLU and as many outputs of a value (fan out).
func heNormal(fan int) float64 {
	return math.Sqrt(2/(1+nn.LeakySlope*nn.LeakySlope)) / math.Sqrt(float64(fan))
}
