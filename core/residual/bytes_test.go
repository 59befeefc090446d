package residual_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/residual"
	"github.com/deepemd/deepemd/internal/networktest"
)

func TestBytesAreNear(t *testing.T) {
	for _, bottleneck := range []bool{false, true} {
		networktest.BytesAreNear(t, networktest.Residual(bottleneck), 75, 0.05, residual.New)
	}
}

func TestBatchesOfBytes(t *testing.T) {
	f := networktest.OfBytes(t, networktest.Residual(true))
	networktest.BatchesOfBytes(t, 75, func(opt nn.Options) (*residual.Network, error) { return residual.New(f, opt) })
}
