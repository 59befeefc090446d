// Package imaging turns files and camera frames into the pixels that a network
// takes: decoding, orientation, resizing exactly as Pillow does, cropping and
// normalisation.
package imaging

// Image is an 8-bit RGB picture.
type Image struct {
	Width, Height int
	Pix           []uint8 // [Height, Width, 3], row-major, no padding
}
