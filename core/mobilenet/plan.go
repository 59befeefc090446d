package mobilenet

import "github.com/deepemd/deepemd/core/nn"

// Plan is what no tensor tells of a network: it follows from the number of its blocks.
// Other forms of networks than tensors say it themselves, and must say the same.
type Plan struct {
	Second  bool            // MobileNetV2, whose layers have other names than V3's
	Strides []int           // of the blocks
	After   []nn.Activation // of the blocks' convolutions, but for the last, which have none
	Ends    nn.Activation   // of the convolutions before the blocks and behind them
	Epsilon float64         // of the batch normalisations
}

// PlanOf returns the plan of a network with so many blocks; false where there is none.
func PlanOf(blocks int) (Plan, bool) {
	for i, v := range versions {
		if len(v.strides) != blocks {
			continue
		}
		p := Plan{Second: i == 0, Strides: v.strides, Ends: v.after, Epsilon: v.epsilon}
		for k := range blocks {
			after := v.after
			if k >= v.swish {
				after, p.Ends = nn.HardSwish, nn.HardSwish
			}
			p.After = append(p.After, after)
		}
		return p, true
	}
	return Plan{}, false
}
