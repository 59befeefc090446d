package backbone

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
)

// MobileNetPlan holds the facts of a MobileNet that its tensors do not tell. A graph of the
// network tells them, and must agree.
type MobileNetPlan struct {
	Second  bool            // MobileNetV2, whose layers have other names than V3's
	Strides []int           // of the blocks
	After   []nn.Activation // of the blocks' convolutions except the last, which has none
	Ends    nn.Activation   // of the convolutions before and after the blocks
	Epsilon float64         // of the batch normalisations
}

// MobileNetPlanOf returns the plan of the network that has so many blocks; false if there is no such network.
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
