//go:build !js

package studiotest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/draw"

	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
)

// Inputs writes images of a class of Tiny ImageNet, like [TinyImageNet], to PNG files of the
// default network's input size, which no browser has to scale.
func Inputs(t *testing.T, class string, from, to int) (paths []string) {
	t.Helper()
	network := require.Value(weights.Decode(resnet12s.File, resnet12s.Weights()))(t)
	side, folder := network.Meta.InputSize, t.TempDir()
	for i, picture := range TinyImageNet(t, class, from, to) {
		scaled := image.NewRGBA(image.Rect(0, 0, side, side))
		draw.CatmullRom.Scale(scaled, scaled.Rect, picture, picture.Bounds(), draw.Src, nil)
		var encoded bytes.Buffer
		require.NoError(t, png.Encode(&encoded, scaled))
		path := filepath.Join(folder, fmt.Sprintf("%s-%d.png", class, from+i))
		require.NoError(t, os.WriteFile(path, encoded.Bytes(), 0o600))
		paths = append(paths, path)
	}
	return paths
}
