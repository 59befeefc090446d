package vit_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/vit"
	"github.com/deepemd/deepemd/internal/networktest"
)

func TestBytesAreNear(t *testing.T) {
	networktest.BytesAreNear(t, networktest.TransformerS(), 112, 0.03, vit.New)
}

func TestBatchesOfBytes(t *testing.T) {
	f := networktest.OfBytes(t, networktest.Transformer())
	networktest.BatchesOfBytes(t, 70, func(opt nn.Options) (*vit.Network, error) { return vit.New(f, opt) })
}
