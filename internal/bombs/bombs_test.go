package bombs_test

import (
	"bytes"
	"image/png"
	"testing"

	"golang.org/x/image/webp"

	"github.com/deepemd/deepemd/internal/bombs"
)

// The generated files are valid: other decoders read them.
func TestOthersReadThem(t *testing.T) {
	if m, err := png.Decode(bytes.NewReader(bombs.PNG(64))); err != nil || m.Bounds().Dx() != 64 {
		t.Errorf("PNG: %v", err)
	}
	if m, err := webp.Decode(bytes.NewReader(bombs.WebP(200, 100))); err != nil || m.Bounds().Dx() != 200 || m.Bounds().Dy() != 100 {
		t.Errorf("WebP: %v", err)
	}
}
