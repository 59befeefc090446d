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

// decodeWebP decodes a still WebP file and finds its Exif data. Two kinds of chunk
// hold a picture, lossy (VP8) or lossless (VP8L). The alpha of a lossy picture lies
// in a chunk of its own, which nobody asks for and which is passed over.
func decodeWebP(data []byte, maxPixels int) (m *Image, exif []byte, err error) {
	for kind, body := range riffChunks(data) {
		switch kind {
		case "VP8 ":
			m, err = decodeVP8(body, maxPixels)
		case "VP8L":
			m, err = decodeVP8L(body, maxPixels)
		case "ANMF":
			err = fmt.Errorf("%w (an animated WebP): save a still of it", ErrUnsupported)
		case "EXIF":
			exif = body
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if m == nil {
		if uint64(len(data)) < 8+uint64(binary.LittleEndian.Uint32(data[4:])) {
			return nil, nil, explain("WebP", io.ErrUnexpectedEOF)
		}
		return nil, nil, explain("WebP", errors.New("webp: no picture in it"))
	}
	return m, exif, nil
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

// decodeVP8L decodes a lossless picture.
func decodeVP8L(body []byte, maxPixels int) (*Image, error) {
	config, err := vp8l.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, explain("WebP", err)
	}
	if err := checkSize(config.Width, config.Height, maxPixels); err != nil {
		return nil, err
	}
	decoded, err := vp8l.Decode(bytes.NewReader(body))
	if err != nil {
		return nil, explain("WebP", err)
	}
	m := newImage(config.Width, config.Height)
	dropAlpha(m.Pix, decoded.(*image.NRGBA).Pix)
	return m, nil
}

// decodeVP8 decodes a lossy picture.
func decodeVP8(body []byte, maxPixels int) (*Image, error) {
	d := vp8.NewDecoder()
	d.Init(bytes.NewReader(body), len(body))
	header, err := d.DecodeFrameHeader()
	if err != nil {
		return nil, explain("WebP", err)
	}
	if !header.KeyFrame {
		return nil, explain("WebP", errors.New("webp: a frame that depends on another"))
	}
	if err := checkSize(header.Width, header.Height, maxPixels); err != nil {
		return nil, err
	}
	planes, err := d.DecodeFrame()
	if err != nil {
		return nil, explain("WebP", err)
	}
	return fromVP8(planes), nil
}
