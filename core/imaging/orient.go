package imaging

// orient turns a picture that was stored with the given Exif orientation upright.
// It returns m itself if it is upright already.
func orient(m *Image, orientation int) *Image {
	w, h := m.Width, m.Height
	// Pixel (x, y) of the result is pixel number origin + x·across + y·down of m.
	var origin, across, down int
	switch orientation {
	case 2: // mirrored left to right
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
