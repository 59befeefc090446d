package mobilenet

import (
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/weights"
)

// Plan is what no tensor says of a network. Other forms of networks than tensors say it
// themselves, and must say the same.
type Plan struct {
	Second  bool            // MobileNetV2, whose layers have other names than V3's
	Strides []int           // of the blocks
	After   []nn.Activation // of the blocks' convolutions, but for the last, which have none
	Ends    nn.Activation   // of the convolutions before the blocks and behind them
	Epsilon float64         // of the batch normalisations
}

// PlanOf returns the plan of the network that has so many blocks; false where there is none.
func PlanOf(blocks int) (Plan, bool) {
	for _, v := range []version{second, third, thirdSmall} {
		if len(v.strides) == blocks {
			return v.plan(), true
		}
	}
	return Plan{}, false
}

// PlanOfFile returns the plan of the network that a file has the blocks of, all or the
// first.
func PlanOfFile(f *weights.File) Plan {
	return versionOf(&weights.Reader{File: f, Prefix: prefix}).plan()
}

func (v version) plan() Plan {
	p := Plan{Second: v.after == second.after, Strides: v.strides, Ends: v.after, Epsilon: v.epsilon}
	for k := range v.strides {
		after := v.after
		if k >= v.swish {
			after, p.Ends = nn.HardSwish, nn.HardSwish
		}
		p.After = append(p.After, after)
	}
	return p
}
