// Package sound converts recordings to pictures. The source is an MP3 or WAV file or microphone
// samples. The loudest second at 16 kHz becomes a log-mel spectrogram, a gray 80×80 picture. A
// backbone embeds this picture like any other, and matching compares it over time (columns) and
// frequency (rows, high ones on top).
//
// The package works on bytes and samples in memory. ForLearner makes a learner recognize sounds.
package sound

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/internal/filekind"
)

// Errors, for errors.Is. Returned errors wrap them with the cause and the remedy.
var (
	ErrFormat      = errors.New("not an MP3 or WAV recording")
	ErrUnsupported = errors.New("an unsupported kind of recording")
	ErrTruncated   = errors.New("the file ends before its recording does")
	ErrCorrupt     = errors.New("the recording is damaged")
	ErrTooLong     = errors.New("the recording is too long")
	ErrSilent      = errors.New("the recording is silent")
)

// Decode returns the recording in an MP3 or WAV file. It detects the format from the content. It
// mixes channels to their mean, or takes the loudest channel if they cancel each other.
//
// # Errors
//
// They wrap one of this package's errors and name the remedy, but not the file.
func Decode(data []byte) (*Clip, error) {
	switch {
	case isWAV(data):
		return decodeWAV(data)
	case Sniff(data):
		return decodeMP3(data)
	}
	return nil, unknownFormat(data)
}

// SniffSize is the number of bytes of a file that suffice for Sniff.
const SniffSize = 8 << 10

// Sniff reports whether a file looks like a recording for Decode: WAV by its first bytes, MP3 by a
// tag (ID3), by two consecutive frames, or by three behind zeros or the rest of a frame.
func Sniff(data []byte) bool {
	if isWAV(data) {
		return true
	}
	if len(data) >= 3 && string(data[:3]) == "ID3" {
		return true
	}
	if h, ok := parseFrame(data); ok && h.layer == 3 {
		if h.size == 0 || len(data) < h.size+4 || chained(data, 2) {
			return true
		}
	}
	_, ok := firstFrame(data)
	return ok
}

// unknownFormat returns an error that names the format of data, if known.
func unknownFormat(data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("%w: the file is empty; record or copy it again", ErrFormat)
	}
	return fmt.Errorf("%w%s", ErrFormat, filekind.Instead(data, "choose an MP3 or WAV recording, or convert it to one"))
}
