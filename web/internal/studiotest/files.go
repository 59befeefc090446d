//go:build !js

package studiotest

import (
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/require"
)

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
	f := require.Value(os.Create(path))(t)
	defer f.Close()
	require.NoError(t, jpeg.Encode(f, img, &jpeg.Options{Quality: 95}))
	return path
}

// Give adds files to a class with its file chooser.
func (s *Studio) Give(class int, files ...string) {
	s.T.Helper()
	s.Do(chromedp.SetUploadFiles(chromedp.CSS(Card(class)+" input[type=file]"), files))
}
