package bombs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// WebP returns a lossless black image of width by height pixels, up to 16384 each, in 36 bytes:
// pixels take no bits.
func WebP(width, height int) []byte {
	const codes = 0b0001_0001_0001_0001_0001 // five codes, each with one symbol, 0, which takes no bits
	body := []byte{0x2f}
	body = binary.LittleEndian.AppendUint32(body, uint32(width-1)|uint32(height-1)<<14)
	// No transform, no color cache, one group of codes: three 0 bits.
	body = binary.LittleEndian.AppendUint32(body, codes<<3)
	body = append(body, make([]byte, 7)...)
	file := []byte("RIFF\x00\x00\x00\x00WEBPVP8L")
	file = binary.LittleEndian.AppendUint32(file, uint32(len(body)))
	file = append(file, body...)
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
	return file
}

// PNG returns a black image of side by side pixels in 16-bit RGB: six bytes per pixel, compressed a
// thousandfold.
func PNG(side int) []byte {
	header := binary.BigEndian.AppendUint32(nil, uint32(side))
	header = binary.BigEndian.AppendUint32(header, uint32(side))
	return Chunks(append(header, 16, 2, 0, 0, 0), io.LimitReader(zeros{}, int64(1+6*side)*int64(side)))
}

// Chunks returns a PNG file with a header chunk and rows, each preceded by its filter number.
func Chunks(header []byte, rows io.Reader) []byte {
	file := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	chunk(file, "IHDR", header)
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	io.Copy(w, rows) // writes to memory do not fail
	w.Close()
	chunk(file, "IDAT", packed.Bytes())
	chunk(file, "IEND", nil)
	return file.Bytes()
}

// zeros is an endless io.Reader of zero bytes.
type zeros struct{}

// Read implements [io.Reader].
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

// Segments of a progressive JPEG file, each with its marker and length.
var (
	tableQ  = append([]byte("\xff\xdb\x00\x43\x00"), bytes.Repeat([]byte{1}, 64)...)
	tableDC = append([]byte("\xff\xc4\x00\x14\x00\x01"), make([]byte, 16)...) // zero difference
	// tableAC has the code 0 for a run of blocks at the end of their band; fourteen 0 bits after it
	// encode runLength blocks.
	tableAC = append(append([]byte("\xff\xc4\x00\x14\x10\x01"), make([]byte, 15)...), 0xe0)
)

const runLength = 1 << 14

// JPEG returns a progressive gray image of side by side pixels, a multiple of 8, with 1 to 14
// passes over each coefficient except the first: 63·passes + 1 scans.
func JPEG(side, passes int) []byte {
	high, low := byte(side>>8), byte(side)
	blocks := side / 8 * (side / 8)
	var file bytes.Buffer
	file.WriteString("\xff\xd8")
	file.Write(tableQ)
	file.Write([]byte{0xff, 0xc2, 0, 11, 8, high, low, high, low, 1, 1, 0x11, 0})
	file.Write(tableDC)
	file.Write(tableAC)
	file.WriteString("\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00")
	file.Write(make([]byte, (blocks+7)/8))
	runs := make([]byte, ((blocks+runLength-1)/runLength*15+7)/8)
	for k := byte(1); k < 64; k++ {
		for pass := range passes {
			turns := byte(passes - 1 - pass)
			if pass > 0 {
				turns |= (turns + 1) << 4 // successive approximation from the bit above
			}
			file.Write([]byte{0xff, 0xda, 0, 8, 1, 1, 0, k, k, turns})
			file.Write(runs)
		}
	}
	file.WriteString("\xff\xd9")
	return file.Bytes()
}
