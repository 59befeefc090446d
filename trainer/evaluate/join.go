package evaluate

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
)

// Join puts the nodes of the same pictures' features into one set each, those of the
// first features first. A single node of each picture's set weighs as much as any other:
// how much each kind counts in a match is for the node weights to say.
//
// It returns an error for a picture that one of them lacks, and for nodes of other
// numbers of channels.
func Join(all ...Features) (Features, error) {
	joined := Features{}
	for name := range all[0] {
		set := &embed.Set{C: all[0][name].C}
		for _, features := range all {
			part := features[name]
			switch {
			case part == nil:
				return nil, fmt.Errorf("%s: its features are missing in one of the arrays", name)
			case part.C != set.C:
				return nil, fmt.Errorf("%s: nodes of %d and of %d channels: join features of one network", name, set.C, part.C)
			}
			set.N += part.N
			set.Data = append(set.Data, part.Data...)
		}
		joined[name] = set
	}
	return joined, nil
}
