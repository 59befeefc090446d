package host_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/wasm/internal/host"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// The messages between a page and its engine: the engine starts, learns two classes, and classifies a
// picture.
func ExampleHost() {
	picture := func(red, green byte) learner.Picture {
		p := learner.Picture{Width: 84, Height: 84}
		for i := range 84 * 84 {
			stripe := byte(i / 84 % 7 * 20)
			p.Data = append(p.Data, red+stripe, green+stripe, stripe)
		}
		return p
	}

	var engine host.Host
	for _, request := range []any{
		&protocol.Init{Weights: network.ResNet12PhotoWeights()},
		&protocol.AddClass{ClassID: "a", Label: "red"},
		&protocol.AddExample{ClassID: "a", ExampleID: "a1", Shown: protocol.Shown{Picture: picture(120, 0)}},
		&protocol.AddClass{ClassID: "b", Label: "green"},
		&protocol.AddExample{ClassID: "b", ExampleID: "b1", Shown: protocol.Shown{Picture: picture(0, 120)}},
		&protocol.Classify{Shown: protocol.Shown{Picture: picture(110, 10)}},
	} {
		reply, err := engine.Handle(request)
		if err != nil {
			fmt.Println(err)
			return
		}
		if answer, ok := reply.(*answer.Answer); ok {
			fmt.Println(protocol.Type(request), answer.Scores[0].Label)
		}
	}
	// Output: classify red
}
