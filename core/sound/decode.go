// Package sound turns recordings into pictures: MP3 and WAV files, or samples of
// a microphone, become one second at 16 kHz, that second a log-mel spectrogram, and
// the spectrogram a grey picture of 80×80 pixels. From there on a sound is a picture
// like any other: the same backbone embeds it, and the same matching compares it,
// over time (columns) and frequency (rows, high ones on top).
//
// Everything here works on bytes and samples in memory; microphones and playing belong
// to the page. ForLearner makes a learner of pictures one of sounds.
package sound

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/internal/filekind"
)

// Errors of this package, for errors.Is. Returned errors wrap them, with the
// finding and the remedy.
var (
	ErrFormat      = errors.New("not an MP3 or WAV recording")
	ErrUnsupported = errors.New("a kind of recording that is not supported")
	ErrTruncated   = errors.New("the file ends before its recording does")
	ErrCorrupt     = errors.New("the recording is damaged")
	ErrTooLong     = errors.New("the recording is too long")
	ErrSilent      = errors.New("the recording is silent")
)

// Decode returns the recording in an MP3 or WAV file. It tells them apart by their
// content, whatever their names say. Of several channels it takes the mean, and the loudest
// where they cancel each other.
//
// # Errors
//
// They wrap one of this package's and name the remedy. They do not name the file,
// which only the caller knows.
func Decode(data []byte) (*Clip, error) {
	switch {
	case isWAV(data):
		return decodeWAV(data)
	case Sniff(data):
		return decodeMP3(data)
	}
	return nil, unknownFormat(data)
}

// Sniff reports whether a file looks like a recording for Decode: WAV by its first
// bytes, MP3 by a tag (ID3) or by a frame with another one behind it.
func Sniff(data []byte) bool {
	if isWAV(data) {
		return true
	}
	if len(data) >= 3 && string(data[:3]) == "ID3" {
		return true
	}
	h, ok := parseFrame(data)
	if !ok || h.layer != 3 {
		return false
	}
	if h.size == 0 || len(data) < h.size+4 {
		return len(data) >= 4 && h.layer == 3 && data[0] == 0xff && data[1] != 0xff
	}
	next, ok := parseFrame(data[h.size:])
	return ok && next.alike(h)
}

// unknownFormat says what a file seems to be instead.
func unknownFormat(data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("%w: the file is empty; record or copy it again", ErrFormat)
	}
	return fmt.Errorf("%w%s", ErrFormat, filekind.Instead(data, "choose an MP3 or WAV recording, or convert it to one"))
}
