package imaging

import (
	"bytes"
	"errors"
	"image"
	"io"

	"golang.org/x/image/vp8l"
)

// alphaPlane returns the opacity of a lossy WebP picture from its ALPH chunk (WebP container
// specification, section "Alpha"): values as they are, or the green of a lossless picture
// without a header, each relative to its neighbors.
func alphaPlane(chunk []byte, width, height int) ([]uint8, error) {
	if len(chunk) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	method, filter, data := chunk[0]&3, chunk[0]>>2&3, chunk[1:]
	alpha := make([]uint8, width*height)
	switch method {
	case 0:
		if copy(alpha, data) < len(alpha) {
			return nil, io.ErrUnexpectedEOF
		}
	case 1:
		const signature = 0x2f
		sides := uint32(width-1) | uint32(height-1)<<14
		header := []byte{signature, byte(sides), byte(sides >> 8), byte(sides >> 16), byte(sides >> 24)}
		decoded, err := vp8l.Decode(io.MultiReader(bytes.NewReader(header), bytes.NewReader(data)))
		if err != nil {
			return nil, err
		}
		for i := range alpha {
			alpha[i] = decoded.(*image.NRGBA).Pix[4*i+1]
		}
	default:
		return nil, errors.New("webp: opacity of an unknown kind")
	}
	unfilterAlpha(alpha, width, filter)
	return alpha, nil
}

// unfilterAlpha adds to each value what its neighbors predict.
func unfilterAlpha(alpha []uint8, width int, filter uint8) {
	const none, horizontal, vertical = 0, 1, 2 // and gradient
	if filter == none {
		return
	}
	for i := range alpha {
		x, y := i%width, i/width
		switch {
		case i == 0:
		case y == 0, x > 0 && filter == horizontal:
			alpha[i] += alpha[i-1]
		case x == 0, filter == vertical:
			alpha[i] += alpha[i-width]
		default:
			gradient := int(alpha[i-1]) + int(alpha[i-width]) - int(alpha[i-width-1])
			alpha[i] += uint8(min(max(gradient, 0), 255))
		}
	}
}
