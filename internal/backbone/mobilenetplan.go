package backbone

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
)

// MobileNetPlan is what no tensor says of a MobileNet. Other forms of networks than tensors
// say it themselves, and must say the same.
type MobileNetPlan struct {
	Second  bool            // MobileNetV2, whose layers have other names than V3's
	Strides []int           // of the blocks
	After   []nn.Activation // of the blocks' convolutions, but for the last, which have none
	Ends    nn.Activation   // of the convolutions before the blocks and behind them
	Epsilon float64         // of the batch normalisations
}

// MobileNetPlanOf returns the plan of the network that has so many blocks; false where there is none.
func MobileNetPlanOf(blocks int) (MobileNetPlan, bool) {
	for _, v := range []mobilenetVersion{second, third, thirdSmall} {
		if len(v.strides) == blocks {
			return v.plan(), true
		}
	}
	return MobileNetPlan{}, false
}

// MobileNetPlanOfFile returns the plan of the network that a file has the blocks of, all or the
// first.
func MobileNetPlanOfFile(f *weights.File) MobileNetPlan {
	return mobilenetVersionOf(&weights.Reader{File: f, Prefix: mobilenetPrefix}).plan()
}

func (v mobilenetVersion) plan() MobileNetPlan {
	p := MobileNetPlan{Second: v.after == second.after, Strides: v.strides, Ends: v.after, Epsilon: v.epsilon}
	for k := range v.strides {
		after := v.after
		if k >= v.swish {
			after, p.Ends = nn.HardSwish, nn.HardSwish
		}
		p.After = append(p.After, after)
	}
	return p
}
