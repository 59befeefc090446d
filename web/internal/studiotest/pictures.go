//go:build !js

package studiotest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
)

// TinyImageNet reads the images from (inclusive) to (exclusive) of a class of Tiny ImageNet.
func TinyImageNet(t *testing.T, class string, from, to int) []image.Image {
	t.Helper()
	archive := require.Value(zip.OpenReader(require.Shared(t, "datasets/tiny-imagenet.zip")))(t)
	defer archive.Close()
	var pictures []image.Image
	for i := from; i < to; i++ {
		f, err := archive.Open(fmt.Sprintf("%s/%d.jpg", class, i))
		require.NoError(t, err)
		picture, err := jpeg.Decode(f)
		f.Close()
		require.NoError(t, err)
		pictures = append(pictures, picture)
	}
	return pictures
}

// Photographs writes the images from (inclusive) to (exclusive) of a class of Tiny ImageNet to
// files, and returns their paths.
func Photographs(t *testing.T, wordnet string, from, to int) []string {
	t.Helper()
	var paths []string
	for i, img := range TinyImageNet(t, wordnet, from, to) {
		paths = append(paths, WritePicture(t, filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.jpg", wordnet, from+i)), img))
	}
	return paths
}

// WritePicture writes an image to a JPEG file, and returns its path.
func WritePicture(t *testing.T, path string, img image.Image) string {
	t.Helper()
	return writeJPEG(t, path, img, 95)
}

func writeJPEG(t *testing.T, path string, img image.Image, quality int) string {
	t.Helper()
	f := require.Value(os.Create(path))(t)
	defer f.Close()
	require.NoError(t, jpeg.Encode(f, img, &jpeg.Options{Quality: quality}))
	return path
}

// Inputs writes images of a class of Tiny ImageNet, like [TinyImageNet], to PNG files of the
// default network's input size, which no browser has to scale.
func Inputs(t *testing.T, class string, from, to int) (paths []string) {
	t.Helper()
	file := require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(t)
	side, folder := file.Meta.InputSize, t.TempDir()
	for i, picture := range TinyImageNet(t, class, from, to) {
		scaled := image.NewRGBA(image.Rect(0, 0, side, side))
		xdraw.CatmullRom.Scale(scaled, scaled.Rect, picture, picture.Bounds(), xdraw.Src, nil)
		var encoded bytes.Buffer
		require.NoError(t, png.Encode(&encoded, scaled))
		path := filepath.Join(folder, fmt.Sprintf("%s-%d.png", class, from+i))
		require.NoError(t, os.WriteFile(path, encoded.Bytes(), 0o600))
		paths = append(paths, path)
	}
	return paths
}

// Disc returns an image of a disc on a plain background.
func Disc(c color.RGBA) image.Image {
	const side = 64
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			if (x-32)*(x-32)+(y-32)*(y-32) < 20*20 {
				picture.SetRGBA(x, y, c)
			} else {
				picture.SetRGBA(x, y, color.RGBA{c.B, c.R, c.G, 255})
			}
		}
	}
	return picture
}

// PictureFile writes a JPEG file of a disc.
func PictureFile(t *testing.T, name string, c color.RGBA) string {
	t.Helper()
	// Unlike with flatter discs, their scores do not amplify rounding.
	return writeJPEG(t, filepath.Join(t.TempDir(), name), Disc(c), jpeg.DefaultQuality)
}

// TextFile writes a file that is not an image.
func TextFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte("These are notes, not a picture.\n"), 0o600))
	return path
}
