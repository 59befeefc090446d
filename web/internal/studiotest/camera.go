//go:build !js

package studiotest

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/deepemd/deepemd/internal/require"
)

// The fake camera shows an image in the square that the network sees, between bands in the color of
// the segment, outside the square.
const (
	cameraWidth, cameraHeight = 640, 480
	// pictureFrames is the number of frames of each image. Chromium plays a .mjpeg file at 30
	// frames per second.
	pictureFrames = 4
)

// Segment is a part of the fake camera's film.
type Segment struct {
	Band     color.RGBA
	Pictures []image.Image
}

// Film writes segments to a file for the fake camera: the concatenated JPEGs of all frames. The
// camera repeats them.
func Film(t *testing.T, segments []Segment) string {
	t.Helper()
	var frames bytes.Buffer
	for _, s := range segments {
		for _, picture := range s.Pictures {
			frame := image.NewRGBA(image.Rect(0, 0, cameraWidth, cameraHeight))
			draw.Draw(frame, frame.Bounds(), image.NewUniform(s.Band), image.Point{}, draw.Src)
			// wider than the square, so that no color bleeds into it
			square := image.Rect((cameraWidth-cameraHeight)/2-8, 0, (cameraWidth+cameraHeight)/2+8, cameraHeight)
			xdraw.CatmullRom.Scale(frame, square, picture, picture.Bounds(), draw.Src, nil)
			var encoded bytes.Buffer
			require.NoError(t, jpeg.Encode(&encoded, frame, &jpeg.Options{Quality: 90}))
			for range pictureFrames {
				frames.Write(encoded.Bytes())
			}
		}
	}
	path := filepath.Join(t.TempDir(), "camera.mjpeg")
	require.NoError(t, os.WriteFile(path, frames.Bytes(), 0o600))
	return path
}

// PlainFilm writes a film of three plain images, for tests that only need a camera.
func PlainFilm(t *testing.T) string {
	t.Helper()
	return DiscFilm(t, 1, color.RGBA{200, 40, 30, 255}, color.RGBA{30, 170, 60, 255}, color.RGBA{40, 60, 210, 255})
}

// DiscFilm writes a film of discs in the given colors, each for a number of images of 4/30 seconds.
func DiscFilm(t *testing.T, pictures int, colors ...color.RGBA) string {
	t.Helper()
	var segments []Segment
	for _, c := range colors {
		segments = append(segments, Segment{c, slices.Repeat([]image.Image{Disc(c)}, pictures)})
	}
	return Film(t, segments)
}
