package mobilenet_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/mobilenet"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/internal/networktest"
)

func TestBytesAreNear(t *testing.T) {
	networktest.BytesAreNear(t, networktest.MobileNet(), 75, 0.05, mobilenet.New)
}

func TestBatchesOfBytes(t *testing.T) {
	f := networktest.OfBytes(t, networktest.MobileNet())
	networktest.BatchesOfBytes(t, 75, func(opt nn.Options) (*mobilenet.Network, error) { return mobilenet.New(f, opt) })
}
