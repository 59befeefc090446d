package sound

import (
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// BenchmarkSecond converts one second of microphone samples at 48 kHz to a picture.
func BenchmarkSecond(b *testing.B) {
	clip := &Clip{48000, Resample(voice(b), Rate, 48000)}
	a := NewAnalyser()
	for b.Loop() {
		second := require.Value(clip.Second())(b)
		a.Analyse(second).Picture()
	}
}

// BenchmarkMP3 decodes a quarter of a second of stereo.
func BenchmarkMP3(b *testing.B) {
	file := readFile(b, "mpeg1-44100-joint.mp3")
	for b.Loop() {
		require.Value(Decode(file))(b)
	}
}
