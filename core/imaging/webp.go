package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"io"
	"iter"

	"golang.org/x/image/vp8"
	"golang.org/x/image/vp8l"
)

// openWebP opens a WebP file. It decodes the first lossy (VP8) or lossless (VP8L) chunk, with the
// preceding opacity (ALPH). An animation is its first frame on a white canvas.
func openWebP(data []byte) (*encoded, error) {
	var still webpFrame
	var first *webpFrame
	var exif, profile []byte
	var canvas []byte // VP8X: flags and canvas size
	for kind, body := range riffChunks(data[12:]) {
		switch kind {
		case "VP8X":
			canvas = body
		case "EXIF":
			exif = body
		case "ICCP":
			profile = body
		case "ANMF":
			if first == nil && len(body) >= 16 {
				first = &webpFrame{x: 2 * uint24(body), y: 2 * uint24(body[3:])}
				for kind, body := range riffChunks(body[16:]) {
					first.addChunk(kind, body)
				}
			}
		default:
			still.addChunk(kind, body)
		}
	}
	cut := uint64(len(data)) < 8+uint64(binary.LittleEndian.Uint32(data[4:]))
	frame := &still
	if frame.picture == nil && first != nil {
		frame = first
	}
	if frame.picture == nil {
		if cut {
			return nil, explain("WebP", io.ErrUnexpectedEOF)
		}
		return nil, explain("WebP", errors.New("webp: no picture"))
	}
	p, err := frame.open()
	if err != nil {
		return nil, err
	}
	p.format, p.exif, p.cut = "WebP", exif, cut
	p.profile = profile
	if frame == first && len(canvas) >= 10 {
		onCanvas(p, first.x, first.y, 1+uint24(canvas[4:]), 1+uint24(canvas[7:]))
	}
	return p, nil
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// webpFrame holds the chunks of one picture.
type webpFrame struct {
	x, y     int // on the canvas of an animation
	lossless bool
	picture  []byte // nil before the first chunk
	opacity  []byte // of a lossy picture, nil if opaque
}

func (f *webpFrame) addChunk(kind string, body []byte) {
	switch {
	case f.picture != nil:
	case kind == "ALPH":
		f.opacity = body
	case kind == "VP8 " || kind == "VP8L":
		f.picture, f.lossless = body, kind == "VP8L"
	}
}

func (f *webpFrame) open() (*encoded, error) {
	if f.lossless {
		return openVP8L(f.picture)
	}
	return openVP8(f.picture, f.opacity)
}

// onCanvas places a picture at (x, y) of a white canvas.
func onCanvas(p *encoded, x, y, width, height int) {
	frame, w, h := p.decode, p.width, p.height
	if x == 0 && y == 0 && w == width && h == height {
		return
	}
	p.width, p.height = width, height
	p.memory += 3 * int64(width) * int64(height)
	p.decode = func(convert func([]uint8)) (*Image, error) {
		if x+w > width || y+h > height {
			return nil, explain("WebP", errors.New("webp: the first frame lies outside the picture"))
		}
		m, err := frame(convert)
		if err != nil {
			return nil, err
		}
		whole := newImage(width, height)
		for i := range whole.Pix {
			whole.Pix[i] = 255
		}
		for row := range h {
			copy(whole.row(y + row)[3*x:], m.row(row))
		}
		return whole, nil
	}
}

// riffChunks yields the kind and content of each chunk of a WebP file or frame. The content of the
// last chunk of a truncated file is short.
func riffChunks(rest []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		const chunkHeader = 8
		for len(rest) >= chunkHeader {
			kind, size := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:]))
			rest = rest[chunkHeader:]
			body := rest[:min(size, uint64(len(rest)))]
			if !yield(kind, body) {
				return
			}
			rest = rest[min(size+size&1, uint64(len(rest))):] // chunks are padded to an even length
		}
	}
}

func openVP8L(body []byte) (*encoded, error) {
	config, err := vp8l.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, explain("WebP", err)
	}
	// RGBA, a second copy if there is a palette, and the result; besides Huffman trees and color
	// tables.
	memory := int64(config.Width)*int64(config.Height)*(4+4+3) + 1<<20
	return &encoded{width: config.Width, height: config.Height, memory: memory, decode: func(convert func([]uint8)) (*Image, error) {
		decoded, err := vp8l.Decode(bytes.NewReader(body))
		if err != nil {
			return nil, explain("WebP", err)
		}
		m := newImage(config.Width, config.Height)
		pix := decoded.(*image.NRGBA).Pix
		splitAlpha(m.Pix, pix)
		convert(m.Pix)
		overWhite(m.Pix, pix[3:], 4)
		return m, nil
	}}, nil
}

// openVP8 opens a lossy picture; opacity is its ALPH chunk, or nil.
func openVP8(body, opacity []byte) (*encoded, error) {
	d := vp8.NewDecoder()
	d.Init(bytes.NewReader(body), len(body))
	header, err := d.DecodeFrameHeader()
	if err != nil {
		return nil, explain("WebP", err)
	}
	if !header.KeyFrame {
		return nil, explain("WebP", errors.New("webp: not a key frame"))
	}
	// Luma, half as much chroma, and the result.
	memory := int64(header.Width)*int64(header.Height)*9/2 + int64(len(body))
	if opacity != nil {
		memory += int64(header.Width)*int64(header.Height)*(1+4+4) + 1<<20
	}
	return &encoded{width: header.Width, height: header.Height, memory: memory, decode: func(convert func([]uint8)) (*Image, error) {
		planes, err := d.DecodeFrame()
		if err != nil {
			return nil, explain("WebP", err)
		}
		m := fromVP8(planes)
		convert(m.Pix)
		if opacity != nil {
			alpha, err := alphaPlane(opacity, m.Width, m.Height)
			if err != nil {
				return nil, explain("WebP", err)
			}
			overWhite(m.Pix, alpha, 1)
		}
		return m, nil
	}}, nil
}

// alphaPlane returns the opacity of a lossy WebP picture from its ALPH chunk (WebP container
// specification, section "Alpha"): raw values, or the green of a lossless picture without header,
// as differences from their neighbors.
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
		return nil, errors.New("webp: unknown compression of the alpha channel")
	}
	unfilterAlpha(alpha, width, filter)
	return alpha, nil
}

// unfilterAlpha adds the prediction from its neighbors to each value.
func unfilterAlpha(alpha []uint8, width int, filter uint8) {
	const none, horizontal, vertical = 0, 1, 2
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
