// Package mediatest writes images and recordings for tests.
package mediatest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// PNG writes an image, and makes its folder. It calls pixel row by row.
func PNG(t testing.TB, path string, width, height int, pixel func(x, y int) color.Color) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		img.Set(i%width, i/width, pixel(i%width, i/width))
	}
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, img))
	write(t, path, file.Bytes())
}

// Folder makes a data set of images of 20 pixels, of almost one color each.
func Folder(t testing.TB, classes, images int) string {
	t.Helper()
	dir := t.TempDir()
	for c := range classes {
		for n := range images {
			PNG(t, filepath.Join(dir, fmt.Sprintf("class%d", c), fmt.Sprintf("%d.png", n)), 20, 20, func(_, y int) color.Color {
				return color.RGBA{uint8(40 * c), uint8(10 * n), uint8(y), 255}
			})
		}
	}
	return dir
}

// WAV writes a recording of one channel, and makes its folder.
func WAV(t testing.TB, path string, rate int, samples []int16) {
	t.Helper()
	file := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	file = binary.LittleEndian.AppendUint32(file, uint32(rate))
	file = binary.LittleEndian.AppendUint32(file, uint32(2*rate))
	file = append(file, "\x02\x00\x10\x00data"...)
	file = binary.LittleEndian.AppendUint32(file, uint32(2*len(samples)))
	for _, v := range samples {
		file = binary.LittleEndian.AppendUint16(file, uint16(v))
	}
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	write(t, path, file)
}

func write(t testing.TB, path string, file []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, file, 0o644))
}
