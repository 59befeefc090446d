package sound

import "encoding/binary"

// mp3Frame is the header of a frame of MPEG audio, four bytes.
type mp3Frame struct {
	version  int // 1, 2, or 25 for 2.5
	layer    int // 1 to 3
	rate     int
	channels int
	size     int // bytes with the header; 0 where the bit rate is free
	samples  int // of one channel
	side     int // bytes of side information
	crc      bool
}

// mp3Rates are the samples a second of version 1; 2 and 2.5 halve and quarter them.
var mp3Rates = [3]int{44100, 48000, 32000}

// mp3Kilobits are the bit rates of layer 3 in kbit/s, of version 1 and of the others.
var mp3Kilobits = [2][15]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

// parseFrame reads the header that data begins with (ISO/IEC 11172-3, 2.4.1.3). The
// sizes are those of layer 3, other layers have none.
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

// alike reports whether two frames may be of one recording.
func (f mp3Frame) alike(other mp3Frame) bool {
	return f.version == other.version && f.layer == other.layer && f.rate == other.rate
}

// mp3Tag is the tag (Xing, Info, LAME) that some encoders write into a first frame
// without sound.
type mp3Tag struct {
	frames         int // of sound; 0 where it is not said
	delay, padding int // samples that the encoder put before and after the sound
	trimmed        bool
}

// parseTag reads the tag in a frame, if it is one.
func parseTag(f mp3Frame, frame []byte) (mp3Tag, bool) {
	var t mp3Tag
	named := func(at int) bool {
		return len(frame) >= at+8 && (string(frame[at:at+4]) == "Xing" || string(frame[at:at+4]) == "Info")
	}
	at := 4 + f.side
	if f.crc && !named(at) { // some encoders leave room for the checksum, LAME does not
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
	// The extension begins with nine letters of the encoder's name; 21 bytes on are
	// two numbers of 12 bits.
	if len(frame) >= at+24 && frame[at] != 0 {
		b := frame[at+21:]
		t.delay, t.padding = int(b[0])<<4|int(b[1])>>4, int(b[1]&15)<<8|int(b[2])
		t.trimmed = true
	}
	return t, true
}
