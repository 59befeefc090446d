package sound

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/hajimehoshi/go-mp3"

	"github.com/deepemd/deepemd/internal/filekind"
)

// mp3Latency is the delay of a decoder's synthesis in samples.
const mp3Latency = 529

// mp3Stream holds the checked frames of a file before decoding.
type mp3Stream struct {
	first  mp3Frame
	tag    mp3Tag
	frames []byte // frames of sound, concatenated
	count  int
	data   int  // bytes of data since the last gap, which later frames refer to
	repack bool // see mp3repack.go
}

// decodeMP3 decodes an MP3 file: layer 3 of MPEG 1 and 2. It removes the samples that the encoder
// added before and after the sound, if known.
func decodeMP3(data []byte) (*Clip, error) {
	stream, err := scanMP3(data)
	if err != nil {
		return nil, err
	}
	samples, err := stream.decode()
	if err != nil {
		return nil, err
	}
	if t := stream.tag; t.trimmed {
		begin, end := t.delay+mp3Latency, len(samples)-max(0, t.padding-mp3Latency)
		if begin < end {
			samples = samples[begin:end]
		}
	} else {
		samples = samples[:min(len(samples), MaxSeconds*stream.first.rate)]
	}
	return FromSamples(samples, stream.first.rate)
}

// scanMP3 finds the frames of a file, without tags and damaged parts.
func scanMP3(data []byte) (*mp3Stream, error) {
	data = skipID3(data)
	if _, ok := parseFrame(data); !ok {
		start, _ := firstFrame(data)
		data = data[start:]
	}
	s := &mp3Stream{}
	junk := 0 // bytes outside frames
	end := -1 // of the latest frame
	zeros := len(data) - len(bytes.TrimRight(data, "\x00"))
	for at := 0; at+4 <= len(data); {
		if tail := data[at:]; isTrailer(tail) {
			break
		}
		f, ok := parseFrame(data[at:])
		if ok && s.first.layer == 0 {
			// Without a size, a coincidence looks like a frame.
			if err := f.check(); err != nil && (f.size > 0 || junk == 0) && confirmed(data[at:], f, zeros) {
				return nil, err
			}
		}
		if ok && f.size > 0 && (s.first.layer == 0 || f.compatible(s.first)) && (at == end || confirmed(data[at:], f, zeros)) {
			if at+f.size > len(data) {
				return nil, s.truncated()
			}
			if at-end >= minFrame { // frames are lost
				s.data = 0
			}
			frame := data[at : at+f.size]
			tag, tagged := mp3Tag{}, false
			if s.first.layer == 0 {
				s.first = f
				tag, tagged = parseTag(f, frame)
			}
			if tagged {
				s.tag = tag
			} else {
				s.frames = append(s.frames, frame...)
				s.data += f.silence(s.frames[len(s.frames)-f.size:], s.data)
				s.count++
				s.repack = s.repack || f.misread(binary.BigEndian.Uint32(frame))
			}
			// Encoders add a delay and padding.
			added := max(2*f.samples, s.tag.delay+s.tag.padding)
			if checkLength(s.count*f.samples-added, f.rate) != nil {
				return nil, s.tooLong(len(data))
			}
			at += f.size
			end = at
			continue
		}
		at++
		junk++
	}
	switch {
	case s.first.layer == 0:
		return nil, fmt.Errorf("%w: it is named or tagged as MP3 but holds no MP3 sound; export it again as MP3 or WAV", ErrFormat)
	case s.count < s.tag.frames:
		return nil, s.truncated()
	case s.count == 0:
		return nil, fmt.Errorf("%w: the MP3 file has no sound; record it again", ErrCorrupt)
	case junk > len(s.frames):
		return nil, fmt.Errorf("%w: %d of its %d bytes are not MP3 sound; export it again from its original", ErrCorrupt, junk, len(data))
	}
	return s, nil
}

// check returns an error for unsupported kinds of MPEG audio.
func (f mp3Frame) check() error {
	switch {
	case f.layer != 3:
		return fmt.Errorf("%w: MPEG audio layer %d; convert it to MP3 or WAV", ErrUnsupported, f.layer)
	case f.version == 25:
		return fmt.Errorf("%w: MP3 at %d Hz (MPEG 2.5); convert it to WAV, or to MP3 at 16000 Hz or more", ErrUnsupported, f.rate)
	case f.size == 0:
		return fmt.Errorf("%w: MP3 with a free bit rate; convert it to WAV, or to MP3 with a constant bit rate", ErrUnsupported)
	}
	return nil
}

// confirmed reports whether a similar frame, a tag or the end of the file follows a frame, so that
// it is not a coincidence. The file ends with the given number of zeros.
func confirmed(data []byte, f mp3Frame, zeros int) bool {
	if len(data) < f.size+4 {
		return true
	}
	rest := data[f.size:]
	next, ok := parseFrame(rest)
	return ok && next.compatible(f) || isTrailer(rest) || len(rest) <= zeros
}

// minFrame and maxFrame are the minimum and maximum size of a frame of layer 3 in bytes.
const (
	minFrame = 24
	maxFrame = 1441
)

// firstFrame returns the offset of the first frame, if zeros or the rest of a frame precede it. The
// two frames after it must be compatible, so that other files are not taken for MP3.
func firstFrame(data []byte) (offset int, ok bool) {
	name, _ := filekind.Of(data)
	if _, ok := parseFrame(data); name != "" && !ok {
		return 0, false // maybe an archive or a video with MP3 in it
	}
	data = data[:min(len(data), SniffSize)]
	zeros := len(data) - len(bytes.TrimLeft(data, "\x00"))
	for at := zeros; at < min(zeros+maxFrame, len(data)); at++ {
		if chained(data[at:], 3) {
			return at, true
		}
	}
	return 0, false
}

// chained reports whether data begin with n compatible frames of layer 3, the last maybe incomplete.
func chained(data []byte, n int) bool {
	first, ok := parseFrame(data)
	for f := first; ok && f.size > 0 && f.compatible(first); n-- {
		if n == 1 {
			return true
		}
		data = data[min(f.size, len(data)):]
		f, ok = parseFrame(data)
	}
	return false
}

// isTrailer reports whether data begin with a tag that follows the sound.
func isTrailer(data []byte) bool {
	return slices.ContainsFunc([]string{"TAG", "APETAGEX", "LYRICSBEGIN", "3DI"}, func(magic string) bool {
		return bytes.HasPrefix(data, []byte(magic))
	})
}

// skipID3 skips the tags (ID3v2) before the sound.
func skipID3(data []byte) []byte {
	for len(data) >= 10 && string(data[:3]) == "ID3" {
		size := 10
		for i, b := range data[6:10] {
			size += int(b&0x7f) << (21 - 7*i)
		}
		data = data[min(size, len(data)):]
	}
	return data
}

// truncated returns an error with the available part of the recording.
func (s *mp3Stream) truncated() error {
	if s.tag.frames > 0 {
		second := float64(s.first.samples) / float64(max(s.first.rate, 1))
		return fmt.Errorf("%w: the MP3 has %.2f of %.2f s; copy it again", ErrTruncated,
			float64(s.count)*second, float64(s.tag.frames)*second)
	}
	return fmt.Errorf("%w: the MP3 ends within a frame; copy it again", ErrTruncated)
}

// tooLong returns an error with the estimated length of a file of size bytes.
func (s *mp3Stream) tooLong(size int) error {
	samples := s.tag.frames * s.first.samples
	if samples == 0 {
		samples = int(int64(s.count*s.first.samples) * int64(size) / int64(len(s.frames)))
	}
	return checkLength(max(samples, MaxSeconds*s.first.rate+1), s.first.rate)
}

// decode decodes the frames and mixes the channels.
func (s *mp3Stream) decode() (samples []float32, err error) {
	// The decoder panics on some damaged data.
	defer func() {
		if problem := recover(); problem != nil {
			samples, err = nil, mp3Corrupt(problem)
		}
	}()
	frames := s.frames
	if s.repack {
		if frames, err = repacked(frames); err != nil {
			return nil, err
		}
	}
	// Without a Seek method the decoder does not read the file twice.
	decoder, err := mp3.NewDecoder(struct{ io.Reader }{bytes.NewReader(frames)})
	if err != nil {
		return nil, mp3Corrupt(err)
	}
	pairs, err := io.ReadAll(decoder) // 16 bits left, 16 bits right, even for one channel
	if err != nil {
		return nil, mp3Corrupt(err)
	}
	samples = make([]float32, len(pairs)/4)
	mix(samples, 2, func(i, c int) float64 {
		return float64(int16(binary.LittleEndian.Uint16(pairs[4*i+2*c:]))) / (1 << 15)
	})
	return samples, nil
}

func mp3Corrupt(problem any) error {
	return fmt.Errorf("%w (%v); export it again from its original", ErrCorrupt, problem)
}

// mp3Frame is the header of a frame of MPEG audio, four bytes.
type mp3Frame struct {
	version  int // 1, 2, or 25 for 2.5
	layer    int // 1 to 3
	rate     int
	channels int
	size     int // bytes including the header; 0 for free bit rate
	samples  int // per channel
	side     int // bytes of side information
	crc      bool
}

// mp3Rates are the sample rates of version 1 in Hz. Version 2 halves and version 2.5 quarters the
// rates.
var mp3Rates = [3]int{44100, 48000, 32000}

// mp3Kilobits are the bit rates of layer 3 in kbit/s, for version 1 and for the others.
var mp3Kilobits = [2][15]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

// parseFrame parses the header at the beginning of data (ISO/IEC 11172-3, 2.4.1.3). Only layer 3
// has sizes.
func parseFrame(data []byte) (mp3Frame, bool) {
	var f mp3Frame
	if len(data) < 4 {
		return f, false
	}
	h := binary.BigEndian.Uint32(data)
	version, layer := h>>19&3, h>>17&3
	kilobits, rate := h>>12&15, h>>10&3
	if h>>21 != 0x7ff || version == 1 || layer == 0 || kilobits == 15 || rate == 3 || h&3 == 2 {
		return f, false
	}
	f.layer, f.crc = int(4-layer), h>>16&1 == 0
	f.channels = 2
	if h>>6&3 == 3 {
		f.channels = 1
	}
	f.rate = mp3Rates[rate]
	low := 1
	f.samples, f.side = 576, 9+8*(f.channels-1)
	switch version {
	case 3:
		f.version, low = 1, 0
		f.samples, f.side = 1152, 17+15*(f.channels-1)
	case 2:
		f.version, f.rate = 2, f.rate/2
	default:
		f.version, f.rate = 25, f.rate/4
	}
	if f.layer == 3 && kilobits > 0 {
		f.size = f.samples/8*mp3Kilobits[low][kilobits]*1000/f.rate + int(h>>9&1)
	}
	return f, true
}

// silence clears a frame whose data begin in a lost frame, as after a cut: the decoder would take
// other data for them. before is the number of bytes of data before the frame. It returns the number
// of bytes in the frame.
func (f mp3Frame) silence(frame []byte, before int) int {
	side, shift := frame[f.head():][:f.side], 8
	if f.version == 1 {
		shift = 7
	}
	if back := int(binary.BigEndian.Uint16(side)) >> shift; back > before {
		clear(side)
		binary.BigEndian.PutUint16(side, uint16(before<<shift)) // the next frame may need the data
	}
	return len(frame) - f.head() - f.side
}

// head returns the number of bytes before the side information. The smallest frame has room for both.
func (f mp3Frame) head() int {
	if f.crc {
		return 6
	}
	return 4
}

// compatible reports whether two frames can be from one recording.
func (f mp3Frame) compatible(other mp3Frame) bool {
	return f.version == other.version && f.layer == other.layer && f.rate == other.rate
}

// mp3Tag is the tag (Xing, Info, LAME) that some encoders write into a first frame without sound.
type mp3Tag struct {
	frames         int // of sound; 0 if unknown
	delay, padding int // samples added before and after the sound
	trimmed        bool
}

// parseTag parses the tag in a frame, if any.
func parseTag(f mp3Frame, frame []byte) (mp3Tag, bool) {
	var t mp3Tag
	named := func(at int) bool {
		return len(frame) >= at+8 && (string(frame[at:at+4]) == "Xing" || string(frame[at:at+4]) == "Info")
	}
	at := 4 + f.side
	if f.crc && !named(at) { // some encoders reserve the checksum, LAME does not
		at += 2
	}
	if !named(at) {
		return t, false
	}
	flags := binary.BigEndian.Uint32(frame[at+4:])
	at += 8
	for _, field := range []struct {
		flag uint32
		size int
	}{{1, 4}, {2, 4}, {4, 100}, {8, 4}} {
		if flags&field.flag == 0 {
			continue
		}
		if field.flag == 1 && len(frame) >= at+4 {
			t.frames = int(binary.BigEndian.Uint32(frame[at:]) & 0x7fffffff)
		}
		at += field.size
	}
	// The extension begins with the encoder's name. At byte 21 it has two 12-bit numbers.
	if len(frame) >= at+24 && frame[at] != 0 {
		b := frame[at+21:]
		t.delay, t.padding = int(b[0])<<4|int(b[1])>>4, int(b[1]&15)<<8|int(b[2])
		t.trimmed = true
	}
	return t, true
}
