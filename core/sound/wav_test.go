package sound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// chunk returns a chunk with its padding.
func chunk(id string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, len(body)&1)...)
}

// wav returns a file of chunks.
func wav(chunks ...[]byte) []byte {
	body := append([]byte("WAVE"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// format returns a "fmt " chunk.
func format(kind, channels, rate, bits, container int) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(kind))
	b = binary.LittleEndian.AppendUint16(b, uint16(channels))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate*channels*container/8))
	b = binary.LittleEndian.AppendUint16(b, uint16(channels*container/8))
	b = binary.LittleEndian.AppendUint16(b, uint16(bits))
	return chunk("fmt ", b)
}

// extensible returns the long form of format.
func extensible(kind, channels, rate, bits, container int) []byte {
	b := format(wavExtensible, channels, rate, container, container)[8:]
	b = binary.LittleEndian.AppendUint16(b, 22)
	b = binary.LittleEndian.AppendUint16(b, uint16(bits))
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(kind))
	return chunk("fmt ", append(b, wavGUID...))
}

// encode returns samples in a format.
func encode(kind, container int, values ...float64) []byte {
	var b []byte
	for _, v := range values {
		switch {
		case kind == wavFloat && container == 32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		case kind == wavFloat:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		case container == 8:
			b = append(b, byte(v*128+128))
		case container == 16:
			b = binary.LittleEndian.AppendUint16(b, uint16(int16(v*(1<<15))))
		case container == 24:
			n := uint32(int32(v * (1 << 23)))
			b = append(b, byte(n), byte(n>>8), byte(n>>16))
		case container == 32:
			b = binary.LittleEndian.AppendUint32(b, uint32(int32(v*(1<<31))))
		}
	}
	return b
}

func TestWAVOfAllKinds(t *testing.T) {
	mono, stereo := []float64{0, 0.5, -1, 0.25}, []float64{0, 0, 1. / 4, 3. / 4, -1, -1, 0.5, 0}
	for _, c := range []struct {
		name string
		kind int
		bits int
		size int
	}{
		{"8 bits", wavPCM, 8, 8}, {"16 bits", wavPCM, 16, 16}, {"24 bits", wavPCM, 24, 24}, {"32 bits", wavPCM, 32, 32},
		{"12 bits in 16", wavPCM, 12, 16}, {"20 bits in 24", wavPCM, 20, 24},
		{"float", wavFloat, 32, 32}, {"double", wavFloat, 64, 64},
	} {
		for _, long := range []bool{false, true} {
			header := format
			if long {
				header = extensible
			}
			for channels, values := range map[int][]float64{1: mono, 2: stereo} {
				file := wav(chunk("LIST", []byte("odd")), header(c.kind, channels, 44100, c.bits, c.size),
					chunk("fact", []byte{4, 0, 0, 0}), chunk("data", encode(c.kind, c.size, values...)), chunk("id3 ", []byte("x")))
				clip, err := Decode(file)
				if err != nil {
					t.Errorf("%s, %d channels, extensible %v: %v", c.name, channels, long, err)
					continue
				}
				if clip.Rate != 44100 || len(clip.Samples) != 4 {
					t.Fatalf("%s: %d samples at %d, want 4 at 44100", c.name, len(clip.Samples), clip.Rate)
				}
				want := []float32{0, 0.5, -1, 0.25}
				for i := range want {
					if clip.Samples[i] != want[i] {
						t.Errorf("%s, %d channels: sample %d is %v, want %v", c.name, channels, i, clip.Samples[i], want[i])
					}
				}
			}
		}
	}
}

// Samples are little-endian.
func TestWAVOfAllBytes(t *testing.T) {
	for raw, want := range map[string]float64{
		"\x92": 0x12 / 128., "\x34\x12": 0x1234 / 32768., "\x56\x34\x12": 0x123456 / 8388608., "\x56\x34\xf2": -0x0dcbaa / 8388608.,
		"\x78\x56\x34\x12": 0x12345678 / 2147483648.,
	} {
		bits := 8 * len(raw)
		clip := require.Value(Decode(wav(format(wavPCM, 1, 8000, bits, bits), chunk("data", []byte(raw)))))(t)
		if clip.Samples[0] != float32(want) {
			t.Errorf("%x is %v, want %v", raw, clip.Samples[0], want)
		}
	}
}

func TestWAVOfUnknownLength(t *testing.T) {
	for _, samples := range []string{"\x00\x40\x00\x20", "LIST", "\x00\x40\x00\x20" + strings.Repeat("\x00", 14)} {
		n := len(samples) / 2
		file := wav(format(wavPCM, 1, 8000, 16, 16), chunk("data", []byte(samples)))
		for _, size := range []uint32{0, 0x7ffff000, math.MaxInt32, 1 << 31, math.MaxUint32} {
			binary.LittleEndian.PutUint32(file[40:], size)
			clip, err := Decode(file)
			if err != nil || len(clip.Samples) != n {
				t.Errorf("size %#x: %v, %v: want the %d samples that are there", size, clip, err, n)
			}
			copy(file, "RF64") // for files over 4 GB
		}
	}
}

func TestWAVThatIsNotWhole(t *testing.T) {
	samples := chunk("data", encode(wavPCM, 16, 0.5, 0.25))
	whole := wav(format(wavPCM, 1, 8000, 16, 16), samples)
	hour := append([]byte(nil), whole...)
	binary.LittleEndian.PutUint32(hour[40:], 3600*8000*2)
	hours := bytes.Clone(hour)
	binary.LittleEndian.PutUint32(hours[40:], 3*3600*8000*2)
	for _, c := range []struct {
		name string
		file []byte
		is   error
		says string
	}{
		{"cut in the samples", whole[:len(whole)-2], ErrTruncated, "copy it again"},
		{"cut in the format", whole[:30], ErrTruncated, "copy it again"},
		{"cut in a remark", wav(format(wavPCM, 1, 8000, 16, 16), chunk("LIST", make([]byte, 20)))[:50], ErrTruncated, `"data"`},
		{"a short format", wav(chunk("fmt ", make([]byte, 14)), samples), ErrCorrupt, "14 bytes, want at least 16"},
		{"a short extended format", wav(format(wavExtensible, 1, 8000, 16, 16), samples), ErrCorrupt, "16 bytes, want 40"},
		{"an unknown extended format", bytes.Replace(wav(extensible(wavPCM, 1, 8000, 16, 16), samples), []byte(wavGUID), make([]byte, len(wavGUID)), 1), ErrUnsupported, "unknown format"},
		{"many channels", wav(format(wavPCM, maxChannels+1, 8000, 8, 8), samples), ErrCorrupt, "65 channels"},
		{"no samples", wav(format(wavPCM, 1, 8000, 16, 16)), ErrTruncated, `"data"`},
		{"no format", wav(samples), ErrCorrupt, `"fmt "`},
		{"nothing but a header", wav(), ErrTruncated, `"fmt "`},
		{"empty", wav(format(wavPCM, 1, 8000, 16, 16), chunk("data", nil)), ErrCorrupt, "no samples"},
		{"empty, with a remark", wav(format(wavPCM, 1, 8000, 16, 16), chunk("data", nil), chunk("LIST", make([]byte, 20))), ErrCorrupt, "no samples"},
		{"an hour", hour, ErrTooLong, "60 min"},
		{"three hours", hours, ErrTooLong, "3.0 hours"},
		{"compressed", wav(format(0x55, 1, 8000, 16, 16), samples), ErrUnsupported, "16-bit PCM"},
		{"no channels", wav(format(wavPCM, 0, 8000, 16, 16), samples), ErrCorrupt, "channels"},
		{"no rate", wav(format(wavPCM, 1, 0, 16, 16), samples), ErrCorrupt, "sample rate"},
		{"absurd rate", wav(format(wavPCM, 1, math.MaxUint32, 16, 16), samples), ErrUnsupported, "4294967295 Hz"},
		{"384 kHz", wav(format(wavPCM, 1, 384000, 16, 16), samples), ErrUnsupported, "384000 Hz; save it"},
		{"60.1 s", wav(format(wavPCM, 1, 8000, 8, 8), chunk("data", make([]byte, 480800))), ErrTooLong, "lasts 61 s"},
		{"more bits than bytes", wav(format(wavPCM, 1, 8000, 24, 16), samples), ErrCorrupt, "bits"},
		{"half a float", wav(format(wavFloat, 1, 8000, 16, 16), samples), ErrUnsupported, "16 bits"},
		{"not a number", wav(format(wavFloat, 1, 8000, 32, 32), chunk("data", encode(wavFloat, 32, math.NaN()))), ErrCorrupt, "not a number"},
	} {
		_, err := Decode(c.file)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one that is %q and says %q", c.name, err, c.is, c.says)
		}
	}
}

func FuzzDecode(f *testing.F) {
	samples := chunk("data", encode(wavPCM, 16, 0.5, 0.25))
	f.Add(wav(format(wavPCM, 1, 8000, 16, 16), samples))
	f.Add(wav(chunk("LIST", []byte("odd")), extensible(wavFloat, 2, 44100, 64, 64), chunk("data", encode(wavFloat, 64, 0.5, 0.25))))
	f.Add(readFile(f, "mpeg2-22050.mp3"))
	f.Add(readFile(f, "mpeg1-44100-joint.mp3"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var clip *Clip
		var err error
		// An MP3 has at least thirteen bytes per second, which becomes 48,000 stereo samples; the
		// decoder makes several copies.
		bombs.Budget(t, 64<<20, 1<<16, len(data), func() { clip, err = Decode(data) })
		if err != nil {
			return
		}
		if clip.Rate < MinRate || clip.Rate > MaxRate || len(clip.Samples) == 0 || len(clip.Samples) > MaxSeconds*clip.Rate {
			t.Fatalf("%d samples at %d a second", len(clip.Samples), clip.Rate)
		}
		for _, v := range clip.Samples {
			if v-v != 0 {
				t.Fatalf("sample %v", v)
			}
		}
	})
}
