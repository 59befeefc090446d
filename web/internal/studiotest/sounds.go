//go:build !js

package studiotest

import (
	"archive/zip"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/require"
)

// Spoken reads a recording of a digit: one second at the volume of speech.
func Spoken(t *testing.T, digit int, speaker string, take int) []float32 {
	t.Helper()
	archive := require.Value(zip.OpenReader(require.Shared(t, "datasets/spoken-digits.zip")))(t)
	defer archive.Close()
	file := require.Value(archive.Open(fmt.Sprintf("%d/%s_%d.mp3", digit, speaker, take)))(t)
	data := require.Value(io.ReadAll(file))(t)
	clip := require.Value(sound.Decode(data))(t)
	second := require.Value(clip.Second())(t)
	loudest := float32(0)
	for _, v := range second {
		loudest = max(loudest, v, -v)
	}
	for i := range second {
		second[i] *= 0.6 / loudest
	}
	return second
}

// Recording writes samples to a WAV file, for the page or for a fake microphone, which repeats it.
func Recording(t *testing.T, samples []float32) string {
	t.Helper()
	wide := make([]int16, len(samples))
	for i, v := range samples {
		wide[i] = int16(v * 32767)
	}
	path := filepath.Join(t.TempDir(), "microphone.wav")
	mediatest.WAV(t, path, sound.Rate, wide)
	return path
}
