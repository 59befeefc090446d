package imaging

import (
	"bytes"
	"encoding/binary"
)

// upright is the orientation of a picture that is stored upright.
const upright = 1

// orientation returns the Exif orientation, 1 to 8 (Exif 2.32, tag 0x0112), from a
// TIFF structure, with or without "Exif\0\0" before it. Cameras and editors often
// damage this structure, and pictures are worth seeing without it: every fault
// means upright.
func orientation(exif []byte) int {
	const (
		tagOrientation = 0x0112
		typeShort      = 3
	)
	exif = bytes.TrimPrefix(exif, []byte("Exif\x00\x00"))
	if len(exif) < 8 {
		return upright
	}
	var order binary.ByteOrder
	switch string(exif[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	directory := order.Uint32(exif[4:])
	if uint64(directory)+2 > uint64(len(exif)) {
		return upright
	}
	entries := exif[directory:]
	count := int(order.Uint16(entries))
	entries = entries[2:]
	for ; count > 0 && len(entries) >= 12; count, entries = count-1, entries[12:] {
		if order.Uint16(entries) != tagOrientation || order.Uint16(entries[2:]) != typeShort {
			continue
		}
		if v := int(order.Uint16(entries[8:])); 1 <= v && v <= 8 {
			return v
		}
		break
	}
	return upright
}
