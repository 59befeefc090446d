//go:build !js

package studiotest

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/require"
)

// Spoken reads a recording of a digit: one second at the volume of speech.
func Spoken(t *testing.T, digit int, speaker string, take int) []float32 {
	t.Helper()
	archive := require.Value(zip.OpenReader(golden.Path(t, "datasets/spoken-digits.zip")))(t)
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
	file := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	file = binary.LittleEndian.AppendUint32(file, sound.Rate)
	file = binary.LittleEndian.AppendUint32(file, 2*sound.Rate)
	file = append(file, "\x02\x00\x10\x00data"...)
	file = binary.LittleEndian.AppendUint32(file, uint32(2*len(samples)))
	for _, v := range samples {
		file = binary.LittleEndian.AppendUint16(file, uint16(int16(v*32767)))
	}
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	path := filepath.Join(t.TempDir(), "microphone.wav")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	return path
}
