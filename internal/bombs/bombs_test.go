package bombs_test

import (
	"bytes"
	"fmt"
	"image/png"
	"testing"

	"golang.org/x/image/webp"

	"github.com/deepemd/deepemd/internal/bombs"
)

// What is made is what the formats allow: other decoders read it.
func TestOthersReadThem(t *testing.T) {
	if m, err := png.Decode(bytes.NewReader(bombs.PNG(64))); err != nil || m.Bounds().Dx() != 64 {
		t.Errorf("PNG: %v", err)
	}
	if m, err := webp.Decode(bytes.NewReader(bombs.WebP(200, 100))); err != nil || m.Bounds().Dx() != 200 || m.Bounds().Dy() != 100 {
		t.Errorf("WebP: %v", err)
	}
}

func ExampleWebP() {
	fmt.Println(len(bombs.WebP(8192, 8192)), "bytes for 67 million pixels")
	// Output: 36 bytes for 67 million pixels
}

func ExampleAllocated() {
	fmt.Println(bombs.Allocated(func() { sink = make([]byte, 1<<20) }) >= 1<<20)
	// Output: true
}

var sink []byte
