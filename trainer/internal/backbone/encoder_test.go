package backbone

import (
	"math"
	"testing"

	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// TestEncoder compares an encoder with the network in inference: with more images than a pass
// takes, with fewer than before, and with images of another size.
func TestEncoder(t *testing.T) {
	f := networktest.ResNet12([]int{4, 6, 8, 10}, 32, 1)
	f.Meta.Extra = map[string]string{core.KeyGrid: "2"}
	e := require.Value(NewEncoder(f, device.NewFloat32(2)))(t)
	net := require.Value(core.New(f, core.Options{}))(t)
	for _, images := range []struct{ n, side int }{{3, 32}, {70, 40}, {2, 40}, {3, 450}} {
		batch := networktest.Pictures(images.n, images.side, 3)
		got, want := require.Value(e.Forward(batch))(t), require.Value(net.Forward(batch))(t)
		if !got.HasShape(want.Shape...) {
			t.Fatalf("%v: shape %v, want %v", images, got.Shape, want.Shape)
		}
		for i, w := range want.Data {
			if !(math.Abs(float64(got.Data[i]-w)) <= 1e-4*(1+math.Abs(float64(w)))) {
				t.Fatalf("%v: feature %d is %g, want %g", images, i, got.Data[i], w)
			}
		}
	}
	if _, err := e.Forward(networktest.Pictures(1, 15, 3)); err == nil {
		t.Error("images of 15 pixels are not an error")
	}
	f.Meta.Arch = core.ArchViT
	if _, err := NewEncoder(f, device.NewFloat32(2)); err == nil {
		t.Error("another architecture is not an error")
	}
}
