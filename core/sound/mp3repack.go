package sound

import (
	"encoding/binary"
	"fmt"
)

// The decoder rounds a frame's size down after adding the padding, not before, so at 22050 Hz many
// padded frames lose their last byte. Repacking such streams gives every frame its own data and no
// padding.

// misread reports whether the decoder computes a wrong frame size.
func (f mp3Frame) misread(header uint32) bool {
	if f.version != 2 || header>>9&1 == 0 {
		return false
	}
	bits := 144000 * mp3Kilobits[1][header>>12&15] / f.rate
	return (bits+1)>>1 != f.size
}

// repacked returns MPEG 2 frames, from scanMP3, that contain their own data only.
//
// # Errors
//
// ErrUnsupported if the data do not fit into a frame.
func repacked(frames []byte) ([]byte, error) {
	var out, reservoir []byte
	for len(frames) > 0 {
		f, _ := parseFrame(frames)
		frame := frames[:f.size]
		frames = frames[f.size:]
		head := f.head()
		side := append([]byte(nil), frame[head:head+f.side]...)
		back := int(side[0]) // offset of the data before the frame
		need := (f.dataBits(side) + 7) / 8
		start := len(reservoir) - back
		reservoir = append(reservoir, frame[head+f.side:]...)
		var data []byte
		if start+need > len(reservoir) {
			clear(side) // missing data: silence
		} else {
			data = reservoir[start : start+need]
		}
		side[0] = 0
		header, size, ok := f.smallestFrame(binary.BigEndian.Uint32(frame), 4+f.side+len(data))
		if !ok {
			return nil, fmt.Errorf("%w: MP3 at %d Hz with frames of %d bytes; convert it to WAV", ErrUnsupported, f.rate, len(data))
		}
		end := len(out) + size
		out = binary.BigEndian.AppendUint32(out, header)
		out = append(append(out, side...), data...)
		out = append(out, make([]byte, end-len(out))...)
		const furthest = 255
		if len(reservoir) > 4*furthest {
			reservoir = reservoir[len(reservoir)-furthest:]
		}
	}
	return out, nil
}

// dataBits sums the numbers of data bits in the side information of MPEG 2: twelve bits at the
// start of each channel's part, after eight and one or two other bits.
func (f mp3Frame) dataBits(side []byte) int {
	const perChannel = 63
	sum := 0
	for c := range f.channels {
		at := 8 + f.channels + c*perChannel
		word := uint32(side[at/8])<<16 | uint32(side[at/8+1])<<8
		if at/8+2 < len(side) {
			word |= uint32(side[at/8+2])
		}
		sum += int(word >> (12 - at%8) & 0xfff)
	}
	return sum
}

// smallestFrame returns the header and size of the smallest frame, without padding and checksum,
// that holds the given number of bytes.
func (f mp3Frame) smallestFrame(header uint32, bytes int) (uint32, int, bool) {
	for index, kilobits := range mp3Kilobits[1] {
		size := f.samples / 8 * kilobits * 1000 / f.rate
		if kilobits > 0 && size >= bytes {
			return header&^(0xf<<12|1<<9) | uint32(index)<<12 | 1<<16, size, true
		}
	}
	return 0, 0, false
}
