package network_test

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network/resnet12photo"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/network/resnet12sound"
	"github.com/deepemd/deepemd/core/network/resnet12xs"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
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
	}{
		{"resnet12photo", resnet12photo.Name, resnet12photo.File, resnet12photo.Weights(), 3_300_000},
		{"resnet12s", resnet12s.Name, resnet12s.File, resnet12s.Weights(), 3_300_000},
		{"resnet12sound", resnet12sound.Name, resnet12sound.File, resnet12sound.Weights(), 2 << 20},
		{"resnet12xs", resnet12xs.Name, resnet12xs.File, resnet12xs.Weights(), 2 << 20},
	} {
		if len(n.data) > n.largest {
			t.Errorf("%s: %d bytes, want at most %d", n.file, len(n.data), n.largest)
		}
		f := require.Value(weights.Decode(n.file, n.data))(t)
		if f.Meta.Name != n.name {
			t.Errorf("%s says that its name is %q, want %q", n.file, f.Meta.Name, n.name)
		}
		if _, err := backbone.New(f, backbone.Options{}); err != nil {
			t.Error(err)
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
