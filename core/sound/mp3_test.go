package sound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestMP3WithTagsAndJunk(t *testing.T) {
	file := readFile(t, "mpeg1-32000.mp3")
	want := require.Value(Decode(file))(t)
	id3 := append([]byte("ID3\x03\x00\x00\x00\x00\x00\x14"), bytes.Repeat([]byte{0xff, 0xfb}, 10)...)
	first, ok := parseFrame(file)
	if !ok {
		t.Fatal("no frame at the file's begin")
	}
	last := 0
	for f := first; last+f.size < len(file); f, _ = parseFrame(file[last:]) {
		last += f.size
	}
	for name, data := range map[string][]byte{
		"tag before":      append(id3, file...),
		"tag with an end": slices.Concat([]byte("ID3\x04\x00\x10\x00\x00\x00\x04text3DI\x04\x00\x10\x00\x00\x00\x04"), file),
		"tag behind":      append(bytes.Clone(file), append([]byte("TAG"), make([]byte, 125)...)...),
		"zeros behind":    append(bytes.Clone(file), make([]byte, 1000)...),
		"junk before":     append(append(bytes.Clone(id3), "junk \xff\xfb\x90\x00 junk"...), file...),
		"zeros before":    append(make([]byte, 1000), file...),
		"rest before":     append(bytes.Clone(file[10:first.size]), file...),
		"junk in it":      append(append(bytes.Clone(file[:2*first.size]), "junk"...), file[2*first.size:]...),
		"around the last": slices.Concat(file[:last], []byte("junk"), file[last:], make([]byte, 1000)),
		"all of these":    append(append(bytes.Clone(id3), file...), "APETAGEX"...),
	} {
		got, err := Decode(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got.Samples) != len(want.Samples) {
			t.Errorf("%s: %d samples, want %d", name, len(got.Samples), len(want.Samples))
			continue
		}
		for i, v := range want.Samples {
			if got.Samples[i] != v {
				t.Errorf("%s: sample %d is %v, want %v", name, i, got.Samples[i], v)
				break
			}
		}
	}
}

// Frames whose data were in a lost frame are silent.
func TestMP3WithLostFrames(t *testing.T) {
	peak := func(samples []float32) float32 { return max(slices.Max(samples), -slices.Min(samples)) }
	for _, name := range []string{"mpeg1-48000-vbr.mp3", "mpeg1-44100-joint.mp3", "mpeg2-22050.mp3", "mpeg2-24000.mp3"} {
		stream := require.Value(scanMP3(readFile(t, name)))(t)
		whole := require.Value(stream.decode())(t)
		at, samples := 0, stream.first.samples
		for lost := range stream.count - 5 {
			damaged := bytes.Clone(stream.frames)
			clear(damaged[at : at+4])
			f, _ := parseFrame(stream.frames[at:])
			at += f.size
			check := func(gap string, got []float32) {
				want, near := whole[(lost+1)*samples:], 4*samples
				if got, want := peak(got[:near]), 1.1*peak(want[:near]); got > want {
					t.Errorf("%s, frame %d %s: a peak of %v, want up to %v", name, lost, gap, got, want)
				}
				if !slices.Equal(got[near:], want[near:]) {
					t.Errorf("%s, frame %d %s: other samples afterwards", name, lost, gap)
				}
			}
			check("cut off", require.Value(Decode(stream.frames[at:]))(t).Samples)
			rest := require.Value(Decode(damaged))(t).Samples
			check("damaged", rest[len(rest)-len(whole)+(lost+1)*samples:])
		}
	}
}

// A frame is silent if its data begin before the first byte that is left. The offset has nine bits in
// version 1, and eight in the others.
func TestMP3SilentFrames(t *testing.T) {
	for version, shift := range map[int]int{1: 7, 2: 8, 25: 8} {
		f := mp3Frame{version: version, side: 9}
		for before, want := range map[int]uint16{50: 50<<shift | 1, 49: 49 << shift} {
			frame := make([]byte, 30)
			binary.BigEndian.PutUint16(frame[4:], 50<<shift|1)
			size := f.silence(frame, before)
			if got := binary.BigEndian.Uint16(frame[4:]); got != want || size != 17 {
				t.Errorf("version %d, %d bytes before: side information %#x, %d bytes of data; want %#x, 17", version, before, got, size, want)
			}
		}
	}
}

// An encoder's delay and padding do not count.
func TestMP3OfTheMaximumLength(t *testing.T) {
	bare, tagged := readFile(t, "mpeg2-16000.mp3"), readFile(t, "mpeg1-44100-joint.mp3")
	first, _ := parseFrame(bare)
	info, _ := parseFrame(tagged)
	tag, ok := parseTag(info, tagged[:info.size])
	second, _ := parseFrame(tagged[info.size:])
	if !ok || !tag.trimmed {
		t.Fatal("no tag")
	}
	frames := func(samples int) int { return (samples + info.samples - 1) / info.samples }
	of := func(n int) []byte {
		return append(bytes.Clone(tagged[:info.size]), bytes.Repeat(tagged[info.size:info.size+second.size], n)...)
	}
	most := MaxSeconds*info.rate + tag.delay + tag.padding
	for _, c := range []struct {
		name    string
		file    []byte
		samples int // 0 if it is refused
	}{
		{"without a tag", bytes.Repeat(bare[:first.size], 1668), MaxSeconds * first.rate},
		{"too long without a tag", bytes.Repeat(bare[:first.size], 1669), 0},
		{"with a tag", of(most / info.samples), most/info.samples*info.samples - tag.delay - tag.padding},
		{"too long with a tag", of(frames(most + 1)), 0},
	} {
		clip, err := Decode(c.file)
		switch {
		case c.samples == 0 && (!errors.Is(err, ErrTooLong) || !strings.Contains(err.Error(), "lasts 61 s")):
			t.Errorf("%s: %v, want that it lasts 61 s", c.name, err)
		case c.samples > 0 && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.samples > 0 && len(clip.Samples) != c.samples:
			t.Errorf("%s: %d samples, want %d", c.name, len(clip.Samples), c.samples)
		}
	}
}

// A tag may follow a reserved checksum, and may lack any field.
func TestMP3Tags(t *testing.T) {
	file := readFile(t, "mpeg1-44100-joint.mp3")
	f, _ := parseFrame(file)
	at := 4 + f.side
	head, name, facts := file[:at], file[at:at+4], file[at+4:f.size]
	want, ok := parseTag(f, file[:f.size])
	if fields := binary.BigEndian.Uint32(facts); !ok || fields != 15 || want.frames == 0 || want.delay == 0 {
		t.Fatalf("the tag is %+v, with the fields %b", want, fields)
	}
	f.crc = true
	for _, reserved := range []int{0, 2} {
		if got, ok := parseTag(f, slices.Concat(head, make([]byte, reserved), name, facts)); !ok || got != want {
			t.Errorf("behind %d bytes: %+v, want %+v", reserved, got, want)
		}
	}
	want.frames = 0
	if got, ok := parseTag(f, slices.Concat(head, name, make([]byte, 4), facts[4+4+4+100+4:])); !ok || got != want {
		t.Errorf("without fields: %+v, want %+v", got, want)
	}
}

func TestMP3ThatCannotBeUsed(t *testing.T) {
	file := readFile(t, "mpeg1-44100-joint.mp3")
	bare := readFile(t, "mpeg2-16000.mp3")
	first, _ := parseFrame(bare)
	frame := bare[:first.size]
	info, _ := parseFrame(file)
	silent := bytes.Clone(file[:info.size])
	binary.BigEndian.PutUint32(silent[4+info.side+8:], 0) // the number of frames
	tagged := func(header string, size int) []byte {
		return slices.Concat([]byte("ID3\x03\x00\x00\x00\x00\x00\x00"), bytes.Repeat(append([]byte(header), make([]byte, size-4)...), 4))
	}
	for _, c := range []struct {
		name string
		file []byte
		is   error
		says string
	}{
		{"cut between frames, with a count", file[:len(file)-835], ErrTruncated, "of 0.29"},
		{"cut in a frame", bare[:len(bare)-7], ErrTruncated, "copy it again"},
		{"an hour", bytes.Repeat(frame, 100000), ErrTooLong, "60 min"},
		{"layer 2", append([]byte("\xff\xfd\x90\x00"), make([]byte, 2000)...), ErrFormat, "MP3 or WAV"},
		{"layer 2, tagged", tagged("\xff\xfd\x90\x00", 522), ErrUnsupported, "MPEG audio layer 2"},
		{"MPEG 2.5, tagged", tagged("\xff\xe3\x90\x00", 522), ErrUnsupported, "11025 Hz (MPEG 2.5)"},
		{"a free bit rate, tagged", tagged("\xff\xfb\x00\x00", 522), ErrUnsupported, "free bit rate"},
		{"nothing but a frame of facts", silent, ErrCorrupt, "has no sound"},
		{"mostly something else", slices.Concat(bare[:2*first.size], bytes.Repeat([]byte("text"), len(bare)), bare), ErrCorrupt, "are not MP3 sound"},
		{"tagged, but no sound", append([]byte("ID3\x03\x00\x00\x00\x00\x00\x02xx"), strings.Repeat("text ", 100)...), ErrFormat, "no MP3 sound"},
		{"a picture named .mp3", []byte("\xff\xd8\xff\xe0\x00\x10JFIF"), ErrFormat, "image"},
		{"Ogg", []byte("OggS\x00\x02"), ErrFormat, "Ogg"},
		{"a WAV of another byte order", []byte("RIFX\x00\x00\x00\x04WAVE"), ErrFormat, "it is a big-endian WAV"},
		{"text", []byte("this is no sound at all"), ErrFormat, "MP3 or WAV"},
		{"nothing", nil, ErrFormat, "empty"},
		{"frames of noise", noiseFrames(frame, 20), ErrCorrupt, "export it again"},
	} {
		_, err := Decode(c.file)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one that is %q and says %q", c.name, err, c.is, c.says)
		}
	}
}

// noiseFrames returns frames with invalid codes.
func noiseFrames(frame []byte, n int) []byte {
	var out []byte
	for i := range n {
		f := bytes.Clone(frame)
		for at := 4; at < len(f); at++ {
			f[at] = byte(at*37 + i*101)
		}
		out = append(out, f...)
	}
	return out
}

func TestSniff(t *testing.T) {
	for name, want := range map[string]bool{"mpeg2-16000.mp3": true, "mpeg1-44100-joint.mp3": true, "voice.wav": true, "reference.py": false, "logmel.f32": false} {
		if got := Sniff(readFile(t, name)); got != want {
			t.Errorf("%s: a recording: %v, want %v", name, got, want)
		}
	}
	file := readFile(t, "mpeg2-16000.mp3")
	first, _ := parseFrame(file)
	rest := file[10:first.size]
	for name, c := range map[string]struct {
		data []byte
		want bool
	}{
		"behind the rest of a frame": {append(bytes.Clone(rest), file...), true},
		"behind zeros":               {append(make([]byte, 1000), file...), true},
		"two frames behind it":       {append(bytes.Clone(rest), file[:2*first.size]...), false},
		"behind two damaged frames":  {slices.Concat(file[:first.size], rest, file), true},
		"in a tar archive":           {append(append(make([]byte, 257), "ustar"...), file...), false},
		"in a zip archive":           {append([]byte("PK\x03\x04"), file...), false},
		"in a video":                 {append([]byte("RIFF\x00\x00\x00\x00AVI "), file...), false},
		"far behind":                 {append(bytes.Repeat([]byte("text "), 1000), file...), false},
	} {
		if got := Sniff(c.data); got != c.want {
			t.Errorf("an MP3 %s: a recording: %v, want %v", name, got, c.want)
		}
	}
	for _, picture := range []string{"\xff\xd8\xff\xe0\x00\x10JFIF", "\x89PNG\r\n\x1a\n", "RIFF\x00\x00\x00\x00WEBP", "", "\xff", "\xff\xfb\x90"} {
		if Sniff([]byte(picture)) {
			t.Errorf("%q is taken for a recording", picture)
		}
	}
}
