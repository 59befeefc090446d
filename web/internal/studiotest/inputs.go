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
)

// Inputs writes pictures of a class of Tiny ImageNet, as [TinyImageNet] has them, as PNG
// files in the size of the default network's input: no browser scales them in a way of
// its own.
func Inputs(t *testing.T, class string, from, to int) (paths []string) {
	t.Helper()
	network, err := weights.Decode(resnet12s.File, resnet12s.Weights())
	if err != nil {
		t.Fatal(err)
	}
	side, folder := network.Meta.InputSize, t.TempDir()
	for i, picture := range TinyImageNet(t, class, from, to) {
		scaled := image.NewRGBA(image.Rect(0, 0, side, side))
		draw.CatmullRom.Scale(scaled, scaled.Rect, picture, picture.Bounds(), draw.Src, nil)
		var encoded bytes.Buffer
		if err := png.Encode(&encoded, scaled); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, fmt.Sprintf("%s-%d.png", class, from+i))
		if err := os.WriteFile(path, encoded.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}
