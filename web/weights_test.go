package web_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"deepemd/core/resnet"
	"deepemd/core/weights"
)

// TestDefaultWeights: the network that the page loads is the one that its card
// describes, and small enough to wait for.
func TestDefaultWeights(t *testing.T) {
	const largest = 8 << 20
	raw, err := os.ReadFile("static/weights/resnet12-s.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) > largest {
		t.Errorf("%d bytes, want at most %d", len(raw), largest)
	}
	card, err := os.ReadFile("static/weights/README.md")
	if err != nil {
		t.Fatal(err)
	}
	f, err := weights.Decode("resnet12-s.safetensors", raw)
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
			t.Errorf("the card does not say %s", fact)
		}
	}
}
