package backbone_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// TestAnnounce: a backward pass announces every weight once, the last layers first, with the
// gradient that it has at the end.
func TestAnnounce(t *testing.T) {
	for _, grid := range []int{0, 1} {
		n := require.Value(backbone.Plan{Widths: []int{4, 6, 8, 10}, Grid: grid}.Build(1, backbone.Options{Threads: 1}))(t)
		announced := map[*device.Param]float64{}
		var order []*device.Param
		n.OnGradients(func(finished ...*device.Param) {
			for _, p := range finished {
				if _, twice := announced[p]; twice {
					t.Errorf("grid %d: %s is announced twice", grid, p.Name)
				}
				announced[p] = require.Value(backbone.GradientNorm([]*device.Param{p}, nil, 1))(t)
				order = append(order, p)
			}
		})
		n.Backward(n.Forward(networktest.Pictures(2, 32, 1)).Tensor().Data)
		params := n.Params()
		if len(order) != len(params) {
			t.Fatalf("grid %d: %d of %d weights are announced", grid, len(order), len(params))
		}
		for _, p := range params {
			if norm, ok := announced[p]; !ok || norm != require.Value(backbone.GradientNorm([]*device.Param{p}, nil, 1))(t) {
				t.Errorf("grid %d: %s is announced: %v, and its gradient changes later", grid, p.Name, ok)
			}
		}
		if announcedLast := order[len(order)-1]; announcedLast == params[len(params)-1] {
			t.Errorf("grid %d: the last layer is announced last", grid)
		}
	}
}
