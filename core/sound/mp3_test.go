package sound

import (
	"bytes"
	"errors"
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
	for name, data := range map[string][]byte{
		"tag before":   append(id3, file...),
		"tag behind":   append(bytes.Clone(file), append([]byte("TAG"), make([]byte, 125)...)...),
		"zeros behind": append(bytes.Clone(file), make([]byte, 1000)...),
		"junk before":  append(append(bytes.Clone(id3), "junk \xff\xfb\x90\x00 junk"...), file...),
		"junk in it":   append(append(bytes.Clone(file[:2*first.size]), "junk"...), file[2*first.size:]...),
		"all of these": append(append(bytes.Clone(id3), file...), "APETAGEX"...),
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

func TestMP3ThatCannotBeUsed(t *testing.T) {
	file := readFile(t, "mpeg1-44100-joint.mp3")
	bare := readFile(t, "mpeg2-16000.mp3")
	first, _ := parseFrame(bare)
	frame := bare[:first.size]
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
		{"tagged, but no sound", append([]byte("ID3\x03\x00\x00\x00\x00\x00\x02xx"), strings.Repeat("text ", 100)...), ErrFormat, "no MP3 sound"},
		{"a picture named .mp3", []byte("\xff\xd8\xff\xe0\x00\x10JFIF"), ErrFormat, "image"},
		{"Ogg", []byte("OggS\x00\x02"), ErrFormat, "Ogg"},
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
	for _, picture := range []string{"\xff\xd8\xff\xe0\x00\x10JFIF", "\x89PNG\r\n\x1a\n", "RIFF\x00\x00\x00\x00WEBP", "", "\xff", "\xff\xfb\x90"} {
		if Sniff([]byte(picture)) {
			t.Errorf("%q is taken for a recording", picture)
		}
	}
}
