package sound

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// NumPy, SciPy and FFmpeg computed testdata: see testdata/reference.py.

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data := require.Value(os.ReadFile(filepath.Join("testdata", name)))(t)
	return data
}

func readFloats(t testing.TB, name string) []float32 {
	data := readFile(t, name)
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

func voice(t testing.TB) []float32 {
	clip := require.Value(Decode(readFile(t, "voice.wav")))(t)
	if clip.Rate != Rate || len(clip.Samples) != Rate {
		t.Fatalf("voice.wav has %d samples at %d, want %d at %d", len(clip.Samples), clip.Rate, Rate, Rate)
	}
	return clip.Samples
}

func TestSpectrogramAgreesWithNumPy(t *testing.T) {
	got, want := NewAnalyzer().Analyze(voice(t)), readFloats(t, "logmel.f32")
	if len(want) != Frames*Bands {
		t.Fatalf("%d reference values, want %d", len(want), Frames*Bands)
	}
	worst := 0.
	for i := range Frames {
		for b := range Bands {
			worst = max(worst, math.Abs(float64(got[i][b]-want[i*Bands+b])))
		}
	}
	t.Logf("worst difference %.2g dB", worst)
	if !(worst <= 1e-4) {
		t.Errorf("worst difference %.2g dB, want at most 1e-4", worst)
	}
}

// A click at the first or last sample looks as in the middle.
func TestSpectrogramOfClicks(t *testing.T) {
	frame := func(click, frame int) [Bands]float32 {
		second := make([]float32, Rate)
		second[click] = 1
		return NewAnalyzer().Analyze(second)[frame]
	}
	if first := frame(0, 0); first != frame(40*hop, 40) || first[0] < -40 {
		t.Errorf("a click at the first sample is %v", first)
	}
	if last := frame(Rate-1, Frames-1); last != frame(Rate-1-40*hop, Frames-1-40) || last[0] < -40 {
		t.Errorf("a click at the last sample is %v", last)
	}
}

func TestResampleAgreesWithSciPy(t *testing.T) {
	samples := voice(t)
	for _, rate := range []int{8000, 11025, 22050, 44099, 44100, 48000, 96000} {
		t.Run(strconv.Itoa(rate), func(t *testing.T) {
			got := Resample(samples[4000:4000+rate/20], rate, Rate)
			want := readFloats(t, "resample-"+strconv.Itoa(rate)+".f32")
			if len(got) != len(want) {
				t.Fatalf("%d samples, want %d", len(got), len(want))
			}
			worst := 0.
			for i, v := range want {
				worst = max(worst, math.Abs(float64(got[i]-v)))
			}
			t.Logf("worst difference %.2g of full scale", worst)
			if !(worst <= 1e-6) {
				t.Errorf("worst difference %.2g of full scale, want at most 1e-6", worst)
			}
		})
	}
}

// TestMP3AgreesWithFFmpeg allows for rounding to 16 bits in both decoders, but not for a shift:
// both must remove the same padding.
func TestMP3AgreesWithFFmpeg(t *testing.T) {
	names, err := filepath.Glob("testdata/*.mp3")
	if err != nil || len(names) < 7 {
		t.Fatalf("%d files, want 7 (%v)", len(names), err)
	}
	for _, name := range names {
		name = filepath.Base(name[:len(name)-len(".mp3")])
		t.Run(name, func(t *testing.T) {
			clip := require.Value(Decode(readFile(t, name+".mp3")))(t)
			want := readFile(t, name+".s16")
			if len(clip.Samples) != len(want)/2 || fmt.Sprint(clip.Rate) != strings.Split(name, "-")[1] {
				t.Fatalf("%d samples at %d a second, want %d", len(clip.Samples), clip.Rate, len(want)/2)
			}
			difference := make([]float32, len(clip.Samples))
			for i, v := range clip.Samples {
				difference[i] = v - float32(int16(binary.LittleEndian.Uint16(want[2*i:])))/(1<<15)
			}
			level := Level(difference)
			t.Logf("%d samples at %d a second, root mean square of the difference %.1f dBFS", len(difference), clip.Rate, level)
			if level > -80 {
				t.Errorf("root mean square of the difference %.1f dBFS, want below -80", level)
			}
		})
	}
}
