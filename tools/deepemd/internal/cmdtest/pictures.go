package cmdtest

import (
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/mediatest"
)

// ClassNames are the classes of Pictures.
var ClassNames = [3]string{"across", "along", "chess"}

// Picture writes an image of a class, horizontal or vertical stripes or a chessboard, shifted by its
// number.
func Picture(t *testing.T, path string, class, number int) {
	t.Helper()
	mediatest.PNG(t, path, 48, 40, func(x, y int) color.Color {
		x, y = x+number, y+2*number
		on := [3]bool{x/6%2 == 0, y/6%2 == 0, (x/6+y/6)%2 == 0}[class]
		shade := uint8(40 + 20*class)
		if on {
			shade = 230
		}
		return color.RGBA{shade, uint8(80 * class), 255 - shade, 255}
	})
}

// Pictures makes a folder with a subfolder for each class, and the given number of images in each.
func Pictures(t *testing.T, each int) string {
	t.Helper()
	dir := t.TempDir()
	for class, name := range ClassNames {
		for n := range each {
			Picture(t, filepath.Join(dir, name, fmt.Sprintf("%d.png", n)), class, n)
		}
	}
	return dir
}

// ChirpNames are the classes of Chirps.
var ChirpNames = [3]string{"rising", "falling", "level"}

// Chirp writes a WAV file of 0.4 s: a rising, falling or level tone, at the pitch of a speaker.
func Chirp(t *testing.T, path string, class, speaker int) {
	t.Helper()
	const rate = 22050
	var samples [rate * 2 / 5]int16
	phase := 0.
	for i := range samples {
		glide := [3]float64{1, -1, 0}[class] * (float64(i)/float64(len(samples)) - 0.5)
		phase += 2 * math.Pi * 1200 * math.Exp2(2*glide+float64(speaker)/10) / rate
		samples[i] = int16(12000 * math.Sin(phase))
	}
	mediatest.WAV(t, path, rate, samples[:])
}

// Chirps makes a folder with two recordings of each class by each speaker.
func Chirps(t *testing.T, speakers int) string {
	t.Helper()
	dir := t.TempDir()
	for class, name := range ChirpNames {
		for s := range speakers {
			for take := range 2 {
				Chirp(t, filepath.Join(dir, name, fmt.Sprintf("speaker%d_%d.wav", s, take)), class, s)
			}
		}
	}
	return dir
}
