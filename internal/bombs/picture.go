package bombs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// WebP is a lossless picture, all black, of width by height pixels, up to 16384 each,
// in 36 bytes: no pixel takes a bit.
func WebP(width, height int) []byte {
	const codes = 0b0001_0001_0001_0001_0001 // five, each of one symbol, 0, which takes no bits
	body := []byte{0x2f}
	body = binary.LittleEndian.AppendUint32(body, uint32(width-1)|uint32(height-1)<<14)
	// No transform, no cache of colours, one group of codes: three bits of 0.
	body = binary.LittleEndian.AppendUint32(body, codes<<3)
	body = append(body, make([]byte, 7)...)
	file := []byte("RIFF\x00\x00\x00\x00WEBPVP8L")
	file = binary.LittleEndian.AppendUint32(file, uint32(len(body)))
	file = append(file, body...)
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	return file
}

// PNG is a picture of side by side pixels, all black, in RGB of 16 bits a colour: six
// bytes a pixel, of which a thousand are one in the file.
func PNG(side int) []byte {
	header := binary.BigEndian.AppendUint32(nil, uint32(side))
	header = binary.BigEndian.AppendUint32(header, uint32(side))
	return Chunks(append(header, 16, 2, 0, 0, 0), io.LimitReader(zeros{}, int64(1+6*side)*int64(side)))
}

// Chunks is a PNG file of a header chunk and of rows, each after the number of its
// filter.
func Chunks(header []byte, rows io.Reader) []byte {
	file := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	chunk(file, "IHDR", header)
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	io.Copy(w, rows) // to memory: it does not fail
	w.Close()
	chunk(file, "IDAT", packed.Bytes())
	chunk(file, "IEND", nil)
	return file.Bytes()
}

// zeros is an endless source of them.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(to []byte) (int, error) {
	clear(to)
	return len(to), nil
}

func chunk(file io.Writer, kind string, body []byte) {
	named := append([]byte(kind), body...)
	file.Write(binary.BigEndian.AppendUint32(nil, uint32(len(body))))
	file.Write(named)
	file.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(named)))
}
