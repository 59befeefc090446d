package data

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestLimitSide(t *testing.T) {
	picture := func(width, height int) string {
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, image.NewRGBA(image.Rect(0, 0, width, height))))
		return file.String()
	}
	s := open(t, writeZip(t, map[string]string{"a/wide.png": picture(100, 50), "a/high.png": picture(31, 64), "a/small.png": picture(8, 60)}))
	s.LimitSide(20)
	for name, want := range map[string][2]int{"a/wide": {40, 20}, "a/high": {20, 41}, "a/small": {8, 60}} {
		if img, err := s.Image(name); err != nil || [2]int{img.Width, img.Height} != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
