package imaging

import (
	"bytes"
	"encoding/binary"
)

// Signatures of TIFF structures, by byte order.
const (
	tiffLittle = "II*\x00"
	tiffBig    = "MM\x00*"
)

// Tags of the first directory of a TIFF structure (TIFF 6.0, section 8).
const (
	tagSubfile     = 0x00fe
	tagCompression = 0x0103
	tagPhotometric = 0x0106
	tagOrientation = 0x0112
	tagPlanes      = 0x011c
	tagFaxOptions  = 0x0124
)

// Mirrored is the Exif orientation of a picture that is mirrored left to right, for Orient.
const Mirrored = 2

const upright = 1 // the usual orientation

// orientation returns the Exif orientation, 1 to 8 (Exif 2.32, tag 0x0112), from a TIFF structure
// with or without the prefix "Exif\0\0". Cameras and editors often damage this structure, so any
// error means upright.
func orientation(exif []byte) int {
	if v := tiffField(bytes.TrimPrefix(exif, []byte("Exif\x00\x00")), tagOrientation); 1 <= v && v <= 8 {
		return v
	}
	return upright
}

// tiffField returns the value of a short or long field in the first directory of a TIFF structure,
// or 0.
func tiffField(data []byte, tag uint16) int {
	const typeShort, typeLong = 3, 4
	if len(data) < 8 {
		return 0
	}
	var order binary.ByteOrder
	switch string(data[:4]) {
	case tiffLittle:
		order = binary.LittleEndian
	case tiffBig:
		order = binary.BigEndian
	default:
		return 0
	}
	directory := order.Uint32(data[4:])
	if uint64(directory)+2 > uint64(len(data)) {
		return 0
	}
	entries := data[directory:]
	count := int(order.Uint16(entries))
	entries = entries[2:]
	for ; count > 0 && len(entries) >= 12; count, entries = count-1, entries[12:] {
		if order.Uint16(entries) != tag {
			continue
		}
		switch order.Uint16(entries[2:]) {
		case typeShort:
			return int(order.Uint16(entries[8:]))
		case typeLong:
			return int(order.Uint32(entries[8:]))
		}
		return 0
	}
	return 0
}

// Orient rotates and mirrors a picture according to its Exif orientation, 1 to 8 (Exif 2.32, tag
// 0x0112). It returns m itself if it is upright, which includes other numbers.
func Orient(m *Image, orientation int) *Image {
	w, h := m.Width, m.Height
	// Pixel (x, y) of the result is pixel origin + x·across + y·down of m.
	var origin, across, down int
	switch orientation {
	case Mirrored:
		origin, across, down = w-1, -1, w
	case 3: // upside down
		origin, across, down = w*h-1, -1, -w
	case 4: // mirrored top to bottom
		origin, across, down = w*(h-1), 1, -w
	case 5: // mirrored about the main diagonal
		origin, across, down = 0, w, 1
	case 6: // to be turned clockwise
		origin, across, down = w*(h-1), -w, 1
	case 7: // mirrored about the other diagonal
		origin, across, down = w*h-1, -w, -1
	case 8: // to be turned counter-clockwise
		origin, across, down = w-1, w, -1
	default:
		return m
	}
	if orientation >= 5 {
		w, h = h, w
	}
	turned := newImage(w, h)
	for y := range h {
		row := turned.row(y)
		at := origin + y*down
		for x := range w {
			*(*[3]uint8)(row[3*x:]) = [3]uint8(m.Pix[3*at:])
			at += across
		}
	}
	return turned
}
