package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"

	"golang.org/x/image/vp8"
	"golang.org/x/image/vp8l"
)

// openWebP opens a still WebP file. Two kinds of chunk hold a picture, lossy (VP8) or
// lossless (VP8L); the first one counts. The alpha of a lossy picture lies in a chunk of
// its own, which nobody asks for and which is passed over.
func openWebP(data []byte) (p *encoded, err error) {
	var exif []byte
	for kind, body := range riffChunks(data) {
		switch {
		case kind == "VP8 " && p == nil:
			p, err = openVP8(body)
		case kind == "VP8L" && p == nil:
			p, err = openVP8L(body)
		case kind == "ANMF":
			err = fmt.Errorf("%w (an animated WebP): save a still of it", ErrUnsupported)
		case kind == "EXIF":
			exif = body
		}
		if err != nil {
			return nil, err
		}
	}
	cut := uint64(len(data)) < 8+uint64(binary.LittleEndian.Uint32(data[4:]))
	if p == nil {
		if cut {
			return nil, explain("WebP", io.ErrUnexpectedEOF)
		}
		return nil, explain("WebP", errors.New("webp: no picture in it"))
	}
	p.format, p.exif, p.cut = "WebP", exif, cut
	return p, nil
}

// riffChunks yields the kind and the content of each chunk of a WebP file. The
// last one's content is short when the file is.
func riffChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		const fileHeader, chunkHeader = 12, 8
		rest := data[fileHeader:]
		for len(rest) >= chunkHeader {
			kind, size := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:]))
			rest = rest[chunkHeader:]
			body := rest[:min(size, uint64(len(rest)))]
			if !yield(kind, body) {
				return
			}
			rest = rest[min(size+size&1, uint64(len(rest))):] // padded to an even length
		}
	}
}

// openVP8L opens a lossless picture.
func openVP8L(body []byte) (*encoded, error) {
	config, err := vp8l.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, explain("WebP", err)
	}
	// RGBA, again where a palette is looked up, and the picture; besides the trees and
	// the colours of its parts.
	memory := int64(config.Width)*int64(config.Height)*(4+4+3) + 1<<20
	return &encoded{width: config.Width, height: config.Height, memory: memory, decode: func() (*Image, error) {
		decoded, err := vp8l.Decode(bytes.NewReader(body))
		if err != nil {
			return nil, explain("WebP", err)
		}
		m := newImage(config.Width, config.Height)
		dropAlpha(m.Pix, decoded.(*image.NRGBA).Pix)
		return m, nil
	}}, nil
}

// openVP8 opens a lossy picture.
func openVP8(body []byte) (*encoded, error) {
	d := vp8.NewDecoder()
	d.Init(bytes.NewReader(body), len(body))
	header, err := d.DecodeFrameHeader()
	if err != nil {
		return nil, explain("WebP", err)
	}
	if !header.KeyFrame {
		return nil, explain("WebP", errors.New("webp: a frame that depends on another"))
	}
	// Luma and half as much chroma, and the picture.
	memory := int64(header.Width)*int64(header.Height)*9/2 + int64(len(body))
	return &encoded{width: header.Width, height: header.Height, memory: memory, decode: func() (*Image, error) {
		planes, err := d.DecodeFrame()
		if err != nil {
			return nil, explain("WebP", err)
		}
		return fromVP8(planes), nil
	}}, nil
}
