package learner_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
)

// A network's file may have a prior for unknown images. Without one the common prior holds.
func TestPriorOfTheFile(t *testing.T) {
	open := func(text string) (*learner.Learner, error) {
		f := require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(t)
		f.Meta.Extra = map[string]string{}
		if text != "" {
			f.Meta.Extra[openset.PriorKey] = text
		}
		return learner.OpenFile(f, learner.Options{})
	}
	const text = "6.4,0.5,2.3,-0.1,-0.12,0,0.46,1.16,-0.45,0.92"
	own, common := require.Value(open(text))(t), require.Value(open(""))(t)
	if got, want := own.Prior(), require.Value(openset.ParsePrior(text))(t); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := common.Prior(); got != openset.HeldOut {
		t.Errorf("%+v, want %+v", got, openset.HeldOut)
	}
	if _, err := open("1,2"); err == nil || !strings.Contains(err.Error(), "metadata prior: ") {
		t.Errorf("%v, want the entry's name", err)
	}
}
