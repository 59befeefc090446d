package web_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
)

// TestWeights: the networks that the page loads are those that their cards describe,
// and small enough to wait for.
func TestWeights(t *testing.T) {
	card, err := os.ReadFile("static/weights/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, largest := range map[string]int{"resnet12-s.safetensors": 8 << 20, "resnet12-sound.safetensors": 2 << 20} {
		raw, err := os.ReadFile("static/weights/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) > largest {
			t.Errorf("%s: %d bytes, want at most %d", name, len(raw), largest)
		}
		f, err := weights.Decode(name, raw)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := resnet.New(f, resnet.Options{}); err != nil {
			t.Error(err)
		}
		for _, fact := range []string{
			fmt.Sprintf("%x", sha256.Sum256(raw)),
			strings.Trim(strings.ReplaceAll(fmt.Sprint(f.Meta.Widths), " ", "-"), "[]"),
			fmt.Sprintf("%d×%d", f.Meta.InputSize, f.Meta.InputSize),
		} {
			if !strings.Contains(string(card), fact) {
				t.Errorf("the card of %s does not say %s", name, fact)
			}
		}
	}
}
