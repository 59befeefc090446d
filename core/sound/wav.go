package sound

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Sample formats of WAV files.
const (
	wavPCM        = 1
	wavFloat      = 3
	wavExtensible = 0xfffe // the format is in an extension
)

// maxChannels bounds the number of channels.
const maxChannels = 64

// wavGUID follows the two bytes of the format in an extension.
const wavGUID = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"

// wavFormat is the "fmt " chunk.
type wavFormat struct {
	kind     int
	channels int
	rate     int
	block    int // bytes per sample of all channels
	bits     int // per sample, including padding
}

// isWAV reports whether data begin like a WAV file, including files over 4 GB.
func isWAV(data []byte) bool {
	return len(data) >= 12 && (string(data[:4]) == "RIFF" || string(data[:4]) == "RF64") && string(data[8:12]) == "WAVE"
}

// decodeWAV decodes a WAV file: integers of 8, 16, 24 and 32 bits, floating-point numbers of 32 and
// 64 bits, any channels.
func decodeWAV(data []byte) (*Clip, error) {
	var format *wavFormat
	for rest := data[12:]; len(rest) >= 8; {
		id, size := string(rest[:4]), int64(binary.LittleEndian.Uint32(rest[4:]))
		body := rest[8:]
		switch id {
		case "fmt ":
			if size > int64(len(body)) {
				return nil, fmt.Errorf("%w: it ends within its format; copy it again", ErrTruncated)
			}
			f, err := parseWAVFormat(body[:size])
			if err != nil {
				return nil, err
			}
			format = f
		case "data":
			if format == nil {
				return nil, fmt.Errorf("%w: samples come before their format (chunk \"fmt \"); save it again from its original", ErrCorrupt)
			}
			if unknownSize(size, body) {
				size = int64(len(body))
			}
			return format.samples(body, size)
		}
		size += size & 1 // chunks are padded to an even size
		if size > int64(len(body)) {
			break
		}
		rest = body[size:]
	}
	if format == nil {
		return nil, fmt.Errorf("%w: the WAV file has no format (chunk \"fmt \"); copy it again", ErrTruncated)
	}
	return nil, fmt.Errorf("%w: the WAV file has no samples (chunk \"data\"); copy it again", ErrTruncated)
}

// unknownSize reports whether the size of the samples is meaningless. Programs that write to a pipe
// do not know it: they write 0 or about the maximum (SoX and eSpeak 0x7ffff000).
func unknownSize(size int64, body []byte) bool {
	if size > 0 {
		return size >= 0x7ffff000 && size > int64(len(body))
	}
	if len(body) < 8 {
		return len(body) > 0
	}
	// After no samples at all, another chunk may follow.
	named := !bytes.ContainsFunc(body[:4], func(r rune) bool { return r < ' ' || r > '~' })
	return !named || int64(binary.LittleEndian.Uint32(body[4:])) > int64(len(body)-8)
}

func parseWAVFormat(body []byte) (*wavFormat, error) {
	if len(body) < 16 {
		return nil, fmt.Errorf("%w: its format has %d bytes, want at least 16; save it again from its original", ErrCorrupt, len(body))
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(body[at:])) }
	f := &wavFormat{kind: u16(0), channels: u16(2), block: u16(12), bits: u16(14)}
	rate := binary.LittleEndian.Uint32(body[4:])
	if f.kind == wavExtensible {
		if len(body) < 40 {
			return nil, fmt.Errorf("%w: its extended format has %d bytes, want 40; save it again from its original", ErrCorrupt, len(body))
		}
		if string(body[26:40]) != wavGUID {
			return nil, fmt.Errorf("%w: WAV with an unknown format; save it as 16-bit PCM", ErrUnsupported)
		}
		f.kind = u16(24)
	}
	if f.channels < 1 || f.channels > maxChannels {
		return nil, fmt.Errorf("%w: it has %d channels; want 1 to %d", ErrCorrupt, f.channels, maxChannels)
	}
	if err := checkRate(int64(rate)); err != nil {
		return nil, err
	}
	f.rate = int(rate)
	// Samples are left-justified, so the number of valid bits does not matter.
	valid := f.bits
	f.bits = f.block / f.channels * 8
	supported := f.kind == wavPCM && (f.bits == 8 || f.bits == 16 || f.bits == 24 || f.bits == 32) ||
		f.kind == wavFloat && (f.bits == 32 || f.bits == 64)
	switch {
	case f.kind != wavPCM && f.kind != wavFloat:
		return nil, fmt.Errorf("%w: WAV with compression of type %#x; save it as 16-bit PCM", ErrUnsupported, f.kind)
	case f.block%f.channels != 0 || valid < 1 || valid > f.bits:
		return nil, fmt.Errorf("%w: samples of %d bits do not fit %d channels in %d bytes; save it again from its original", ErrCorrupt, valid, f.channels, f.block)
	case !supported:
		return nil, fmt.Errorf("%w: WAV with samples of %d bits; save it as 16-bit PCM", ErrUnsupported, f.bits)
	}
	return f, nil
}

// samples decodes a chunk of samples with size bytes according to its header.
func (f *wavFormat) samples(body []byte, size int64) (*Clip, error) {
	n := size / int64(f.block)
	if err := checkLength(int(min(n, math.MaxInt32)), f.rate); err != nil {
		return nil, err
	}
	if size > int64(len(body)) {
		return nil, fmt.Errorf("%w: it has %.2f of %.2f s; copy it again", ErrTruncated,
			float64(len(body)/f.block)/float64(f.rate), float64(n)/float64(f.rate))
	}
	samples := make([]float32, n)
	width := f.bits / 8
	mix(samples, f.channels, func(i, c int) float64 { return f.sample(body[i*f.block+c*width:]) })
	return FromSamples(samples, f.rate)
}

// sample decodes one sample, full scale ±1.
func (f *wavFormat) sample(b []byte) float64 {
	switch {
	case f.kind == wavFloat && f.bits == 32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case f.kind == wavFloat:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case f.bits == 8: // unsigned
		return (float64(b[0]) - 128) / (1 << 7)
	case f.bits == 16:
		return float64(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
	case f.bits == 24:
		return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)>>8) / (1 << 23)
	default:
		return float64(int32(binary.LittleEndian.Uint32(b))) / (1 << 31)
	}
}
