package jpeg

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// Markers (table B.1): the byte that follows 0xff.
const (
	markerTEM   = 0x01
	markerSOF0  = 0xc0 // baseline
	markerSOF1  = 0xc1 // extended sequential
	markerSOF2  = 0xc2 // progressive
	markerDHT   = 0xc4
	markerJPG   = 0xc8
	markerDAC   = 0xcc
	markerSOF15 = 0xcf
	markerRST0  = 0xd0
	markerRST7  = 0xd7
	markerSOI   = 0xd8
	markerEOI   = 0xd9
	markerSOS   = 0xda
	markerDQT   = 0xdb
	markerDRI   = 0xdd
	markerAPP0  = 0xe0
	markerAPP1  = 0xe1
	markerAPP2  = 0xe2
	markerAPP14 = 0xee
)

// nextScan reads segments up to the length field of a scan header (true) or the end of the picture
// (false).
func (d *Decoder) nextScan() (bool, error) {
	for {
		marker, err := d.marker()
		if err != nil {
			return false, err
		}
		switch {
		case marker == markerEOI:
			return false, nil
		case marker == markerSOS:
			return true, nil
		case marker == markerSOI, marker == markerTEM, markerRST0 <= marker && marker <= markerRST7:
			continue // without a payload
		}
		payload, err := d.payload()
		if err != nil {
			return false, err
		}
		if err := d.segment(marker, payload); err != nil {
			return false, err
		}
	}
}

// marker returns the next marker, skipping fill bytes and stray bytes.
func (d *Decoder) marker() (byte, error) {
	for {
		i := bytes.IndexByte(d.data[d.pos:], 0xff)
		if i < 0 || d.pos+i+1 >= len(d.data) {
			return 0, ErrTruncated
		}
		d.pos += i + 1
		if m := d.data[d.pos]; m != 0x00 && m != 0xff {
			d.pos++
			return m, nil
		}
	}
}

// payload returns the segment at d.pos without its length field.
func (d *Decoder) payload() ([]byte, error) {
	if len(d.data)-d.pos < 2 {
		return nil, ErrTruncated
	}
	n := int(binary.BigEndian.Uint16(d.data[d.pos:]))
	if n < 2 {
		return nil, FormatError("segment with an impossible length")
	}
	if len(d.data)-d.pos < n {
		return nil, ErrTruncated
	}
	p := d.data[d.pos+2 : d.pos+n]
	d.pos += n
	return p, nil
}

// segment parses a segment other than a scan header.
func (d *Decoder) segment(marker byte, p []byte) error {
	switch marker {
	case markerSOF0, markerSOF1, markerSOF2:
		d.progressive = marker == markerSOF2
		return d.frame(p)
	case markerDHT:
		return d.huffmanTables(p)
	case markerDQT:
		return d.quantTables(p)
	case markerDRI:
		if len(p) != 2 {
			return FormatError("restart interval of wrong length")
		}
		d.restart = int(binary.BigEndian.Uint16(p))
	case markerAPP0:
		d.jfif = d.jfif || bytes.HasPrefix(p, []byte("JFIF\x00"))
	case markerAPP1:
		if exif, ok := bytes.CutPrefix(p, []byte("Exif\x00\x00")); ok && d.Exif == nil {
			d.Exif = exif
		}
	case markerAPP2:
		if part, ok := bytes.CutPrefix(p, []byte("ICC_PROFILE\x00")); ok && len(part) >= 2 {
			d.profiles = append(d.profiles, part)
		}
	case markerAPP14:
		if bytes.HasPrefix(p, []byte("Adobe")) && len(p) >= 12 {
			d.adobe = int(p[11])
		}
	case markerDAC:
		return UnsupportedError("arithmetic coding")
	default:
		if markerSOF0 <= marker && marker <= markerSOF15 && marker != markerJPG {
			return UnsupportedError(processNames[marker-markerSOF0])
		}
	}
	return nil
}

// Profile returns the ICC profile of the file, or nil (ICC.1:2022, annex B.4). Its parts may be in
// any order. If one is missing the profile is empty.
func (d *Decoder) Profile() []byte {
	if d.profiles == nil {
		return nil
	}
	profile := []byte{}
	for number := 1; number <= len(d.profiles); number++ {
		i := slices.IndexFunc(d.profiles, func(part []byte) bool { return int(part[0]) == number })
		if i < 0 || int(d.profiles[i][1]) != len(d.profiles) {
			return []byte{}
		}
		profile = append(profile, d.profiles[i][2:]...)
	}
	return profile
}

// processNames has the unsupported coding processes of table B.1 at the low four bits of their
// markers.
var processNames = [16]string{
	3: "lossless coding", 5: "hierarchical coding", 6: "hierarchical coding", 7: "hierarchical coding",
	9: "arithmetic coding", 10: "arithmetic coding", 11: "lossless coding",
	13: "hierarchical coding", 14: "hierarchical coding", 15: "hierarchical coding",
}

// quantTables reads quantization tables (section B.2.4.1).
func (d *Decoder) quantTables(p []byte) error {
	for len(p) > 0 {
		precision, id := p[0]>>4, p[0]&15
		if id > 3 || precision > 1 {
			return FormatError(fmt.Sprintf("quantization table %d of precision %d", id, precision))
		}
		p = p[1:]
		size := 64 << precision
		if len(p) < size {
			return FormatError("quantization table of wrong length")
		}
		table := new([64]uint16)
		for k := range table {
			if precision == 0 {
				table[k] = uint16(p[k])
			} else {
				table[k] = binary.BigEndian.Uint16(p[2*k:])
			}
		}
		d.quant[id] = table
		p = p[size:]
	}
	return nil
}
