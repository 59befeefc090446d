package network_test

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
)

//go:embed resnet12photo/README.md resnet12s/README.md resnet12sound/README.md resnet12xs/README.md
var cards embed.FS

// TestNetworks checks the networks against their model cards, and their download size.
func TestNetworks(t *testing.T) {
	for _, n := range []struct {
		folder, name, file string
		data               []byte
		largest            int
		shape              [3]int // side of an input, nodes, channels
	}{
		{"resnet12photo", network.ResNet12Photo, network.ResNet12PhotoFile, network.ResNet12PhotoWeights(), 3_300_000, [3]int{112, 36, 320}},
		{"resnet12s", network.ResNet12S, network.ResNet12SFile, network.ResNet12SWeights(), 3_300_000, [3]int{84, 25, 320}},
		{"resnet12sound", network.ResNet12Sound, network.ResNet12SoundFile, network.ResNet12SoundWeights(), 2 << 20, [3]int{80, 25, 128}},
		{"resnet12xs", network.ResNet12XS, network.ResNet12XSFile, network.ResNet12XSWeights(), 2 << 20, [3]int{84, 25, 208}},
	} {
		if len(n.data) > n.largest {
			t.Errorf("%s: %d bytes, want at most %d", n.file, len(n.data), n.largest)
		}
		f := require.Value(weights.Decode(n.file, n.data))(t)
		if f.Meta.Name != n.name {
			t.Errorf("%s says that its name is %q, want %q", n.file, f.Meta.Name, n.name)
		}
		info := require.Value(learner.Open(n.data))(t).Info()
		if shape := [3]int{info.InputSize, info.Nodes, info.Channels}; shape != n.shape {
			t.Errorf("%s takes and gives %v, want %v", n.file, shape, n.shape)
		}
		card := require.Value(cards.ReadFile(n.folder + "/README.md"))(t)
		for _, fact := range []string{
			fmt.Sprintf("%x", sha256.Sum256(n.data)),
			strings.Trim(strings.ReplaceAll(fmt.Sprint(f.Meta.Widths), " ", "-"), "[]"),
			fmt.Sprintf("%d×%d", f.Meta.InputSize, f.Meta.InputSize),
		} {
			if !strings.Contains(string(card), fact) {
				t.Errorf("the card of %s does not say %s", n.file, fact)
			}
		}
	}
}
