package sound

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// tone returns n samples of a sine at Rate.
func tone(n int, hz, amplitude float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(amplitude * math.Sin(2*math.Pi*hz*float64(i)/Rate))
	}
	return x
}

func TestSecondPutsTheSoundInItsMiddle(t *testing.T) {
	for _, c := range []struct{ before, sound, after int }{
		{0, Rate / 4, 0}, {0, Rate / 4, Rate}, {3 * Rate, Rate / 2, 0}, {Rate / 3, Rate / 10, 5 * Rate}, {0, Rate, 0},
	} {
		clip := &Clip{Rate, append(append(make([]float32, c.before), tone(c.sound, 440, 0.5)...), make([]float32, c.after)...)}
		second := require.Value(clip.Second())(t)
		var center, sum float64
		for i, v := range second {
			center += float64(i) * float64(v*v)
			sum += float64(v * v)
		}
		if got := center / sum; !(math.Abs(got-Rate/2) <= 2*step) {
			t.Errorf("%+v: the sound is around sample %.0f, want around %d", c, got, Rate/2)
		}
		if got, want := sum, 0.125*float64(c.sound); !(math.Abs(got-want) <= 0.01*want) {
			t.Errorf("%+v: energy %.0f, want that of all the sound, %.0f", c, got, want)
		}
	}
}

func TestSecondOfTheLoudestSound(t *testing.T) {
	clip := &Clip{Rate, append(append(tone(Rate/2, 440, 0.2), make([]float32, 2*Rate)...), tone(Rate/2, 440, 0.8)...)}
	second := require.Value(clip.Second())(t)
	if level := Level(second); !(math.Abs(level-20*math.Log10(0.8/2)) <= 0.1) {
		t.Errorf("%.1f dBFS, want the loud one alone", level)
	}
}

func TestSilence(t *testing.T) {
	for name, samples := range map[string][]float32{"zeros": make([]float32, 100), "a hum far off": tone(Rate, 50, 1e-4)} {
		_, err := (&Clip{Rate, samples}).Second()
		if !errors.Is(err, ErrSilent) || !strings.Contains(err.Error(), "microphone") {
			t.Errorf("%s: %v, want it to be silent", name, err)
		}
	}
	for rate, want := range map[int]error{0: ErrCorrupt, -1: ErrCorrupt, MaxRate + 1: ErrUnsupported} {
		if _, err := (&Clip{rate, []float32{1}}).Second(); !errors.Is(err, want) {
			t.Errorf("rate %d: error %v, want %v", rate, err, want)
		}
	}
}

// A constant, drifting or ending offset does not affect which second is chosen.
func TestOffset(t *testing.T) {
	still := make([]float32, 2*Rate)
	sound := append(slices.Clone(still), tone(Rate, 440, 0.02)...)
	for name, offset := range map[string]func(i int) float64{
		"constant":       func(int) float64 { return 0.3 },
		"before it ends": func(i int) float64 { return 0.3 * max(0, 1-float64(i)/(2*Rate)) },
		"drifting":       func(i int) float64 { return 0.5 * math.Sin(2*math.Pi*0.3*float64(i)/Rate) },
	} {
		clip := &Clip{Rate, slices.Clone(sound)}
		for i := range clip.Samples {
			clip.Samples[i] += float32(offset(i))
		}
		second, err := clip.Second()
		if err != nil {
			t.Fatal(name, err)
		}
		if level, want := Level(second), 20*math.Log10(0.02/math.Sqrt2); !(math.Abs(level-want) <= 0.5) {
			t.Errorf("%s: %.1f dBFS, want %.1f", name, level, want)
		}
	}
	constant := &Clip{Rate, slices.Repeat([]float32{0.3}, Rate)}
	if _, err := constant.Second(); !errors.Is(err, ErrSilent) {
		t.Errorf("a constant: %v, want it to be silent", err)
	}
}

// Channels that cancel each other are not averaged.
func TestMix(t *testing.T) {
	left := tone(Rate, 440, 0.5)
	for name, c := range map[string]struct {
		right func(v float32) float32
		want  float64 // of the left channel's amplitude
	}{
		"alike":            {func(v float32) float32 { return v }, 1},
		"one is silent":    {func(float32) float32 { return 0 }, 0.5},
		"turned round":     {func(v float32) float32 { return -v }, 1},
		"with an offset":   {func(v float32) float32 { return -v + 0.7 }, 1},
		"nearly the other": {func(v float32) float32 { return -0.9 * v }, 1},
	} {
		samples := make([]float32, len(left))
		mix(samples, 2, func(i, channel int) float64 {
			if channel == 0 {
				return float64(left[i])
			}
			return float64(c.right(left[i]))
		})
		second, err := (&Clip{Rate, samples}).Second()
		if err != nil {
			t.Fatal(name, err)
		}
		if got, want := Level(second)-Level(left), 20*math.Log10(c.want); !(math.Abs(got-want) <= 0.1) {
			t.Errorf("%s: %.1f dB, want %.1f", name, got, want)
		}
	}
}

// Resampling and the removed offset enlarge samples.
func TestSecondOfHugeSamples(t *testing.T) {
	for _, rate := range []int{Rate, 44100} {
		samples := make([]float32, rate)
		for i := range samples {
			samples[i] = float32(math.Copysign(math.MaxFloat32, float64(i/500%2)-0.5))
		}
		second := require.Value((&Clip{rate, samples}).Second())(t)
		if at := slices.IndexFunc(second, func(v float32) bool { return v-v != 0 }); at >= 0 {
			t.Errorf("%d Hz: sample %d is %v", rate, at, second[at])
		}
	}
}

func TestFromSamples(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name    string
		samples []float32
		rate    int
		is      error
	}{
		{"good", []float32{0.5}, 48000, nil},
		{"none", nil, 48000, ErrCorrupt},
		{"no rate", []float32{0.5}, 0, ErrCorrupt},
		{"not a number", []float32{0, nan}, 48000, ErrCorrupt},
		{"too long", make([]float32, 61*MinRate), MinRate, ErrTooLong},
	} {
		clip, err := FromSamples(c.samples, c.rate)
		if !errors.Is(err, c.is) || (err == nil) != (clip != nil) {
			t.Errorf("%s: %v, %v: want error %v", c.name, clip, err, c.is)
		}
	}
}

func TestPictureShowsTimeAndFrequency(t *testing.T) {
	clip := &Clip{Rate, append(tone(Rate/2, 300, 0.5), tone(Rate/2, 4000, 0.5)...)}
	pix := picture(t, clip)
	brightest := func(x int) int {
		row, best := 0, -1
		for y := range Bands {
			if v := int(pix[3*(y*Frames+x)]); v > best {
				row, best = y, v
			}
		}
		return row
	}
	if low, high := brightest(20), brightest(60); low < 60 || high > 30 {
		t.Errorf("brightest rows %d early and %d late, want a low frequency below a high one", low, high)
	}
	quiet := &Clip{Rate, make([]float32, len(clip.Samples))}
	for i, v := range clip.Samples {
		quiet.Samples[i] = v / 8
	}
	same := picture(t, quiet)
	for i, v := range pix {
		if !(math.Abs(float64(v)-float64(same[i])) <= 1) {
			t.Fatalf("pixel %d is %d, and %d of the same sound more quietly", i, v, same[i])
		}
	}
}

// picture returns the picture of a clip's loudest second.
// The maximum is white, 30 dB below it gray, and 60 dB or more below it black.
func TestPictureIsRelativeToTheMaximum(t *testing.T) {
	var s Spectrogram
	for frame := range s {
		for b := range s[frame] {
			s[frame][b] = -100
		}
	}
	levels := map[int]uint8{-20: 255, -50: 128, -80: 0, -79: 4} // of some frames
	for level := range levels {
		s[-level-20][5] = float32(level)
	}
	pix := s.Picture().Pix
	for level, want := range levels {
		for y := range Bands {
			got, want := pix[3*(y*Frames-level-20):][:3], want
			if y != Bands-1-5 {
				want = 0
			}
			if got[0] != want || got[1] != want || got[2] != want {
				t.Errorf("%d dB, row %d: %v, want %d", level, y, got, want)
			}
		}
	}
}

func picture(t testing.TB, c *Clip) []uint8 {
	t.Helper()
	second := require.Value(c.Second())(t)
	return NewAnalyzer().Analyze(second).Picture().Pix
}

func TestPicture(t *testing.T) {
	file := require.Value(os.ReadFile("testdata/mpeg1-44100-joint.mp3"))(t)
	m := require.Value(Picture(file))(t)
	if m.Width != Frames || m.Height != Bands || len(m.Pix) != 3*m.Width*m.Height {
		t.Fatalf("%d×%d pixels, %d values", m.Width, m.Height, len(m.Pix))
	}
	// The sound of a quarter second is in the middle of the picture.
	brightness := func(from, to int) (sum int) {
		for y := range m.Height {
			for x := from; x < to; x++ {
				sum += int(m.Pix[3*(y*m.Width+x)])
			}
		}
		return sum / (to - from)
	}
	if edge, middle := brightness(0, 20), brightness(32, 48); edge*10 > middle {
		t.Errorf("brightness %d at the edge, %d in the middle", edge, middle)
	}
	if _, err := Picture(file[:len(file)-900]); !errors.Is(err, ErrTruncated) {
		t.Errorf("%v, want a truncated file refused", err)
	}
}

// BenchmarkSecond converts one second of microphone samples at 48 kHz to a picture.
func BenchmarkSecond(b *testing.B) {
	clip := &Clip{48000, Resample(voice(b), Rate, 48000)}
	a := NewAnalyzer()
	for b.Loop() {
		second := require.Value(clip.Second())(b)
		a.Analyze(second).Picture()
	}
}

// BenchmarkMP3 decodes a quarter of a second of stereo.
func BenchmarkMP3(b *testing.B) {
	file := readFile(b, "mpeg1-44100-joint.mp3")
	for b.Loop() {
		require.Value(Decode(file))(b)
	}
}
