//go:build linux && (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"testing"

	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// TestEncoder compares features with inference on the processor, including a smaller last batch.
func TestEncoder(t *testing.T) {
	d := open0(t, false)
	f := networktest.ResNet12([]int{8, 8, 16, 16}, 32, 1)
	e := require.Value(backbone.NewEncoder(f, d))(t)
	net := require.Value(core.New(f, core.Options{}))(t)
	b := &bench{T: t, d: d, limit: 1e-3}
	for _, n := range []int{3, 2} {
		batch := networktest.Pictures(n, 32, 3)
		got, want := require.Value(e.Forward(batch))(t), require.Value(net.Forward(batch))(t)
		b.same(fmt.Sprint(n, " images"), widened(got.Data), widened(want.Data))
	}
	require.NoError(t, e.Device().Close())
	if _, err := e.Forward(networktest.Pictures(1, 32, 3)); err == nil {
		t.Error("a closed card computes")
	}
}
