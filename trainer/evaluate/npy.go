package evaluate

import (
	"encoding/binary"
	"fmt"
	"io"
)

// npyAlign is what the length of a .npy file's header is a multiple of.
const npyAlign = 64

// WriteNPY writes the logits as a NumPy array of float32, [episodes, queries,
// way] (.npy, version 1.0). It returns an error when episodes differ in their
// number of queries, and those of w.
func (r *Result) WriteNPY(w io.Writer) error {
	queries := 0
	for i, logits := range r.Logits {
		if i == 0 {
			queries = len(logits) / r.Way
		}
		if len(logits) != queries*r.Way {
			return fmt.Errorf("episode %d has %d queries, the first has %d: logits of episodes that differ fit in no array", i+1, len(logits)/r.Way, queries)
		}
	}
	header := fmt.Appendf(nil, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d), }", len(r.Logits), queries, r.Way)
	const magic = "\x93NUMPY\x01\x00"
	for (len(magic)+2+len(header)+1)%npyAlign != 0 {
		header = append(header, ' ')
	}
	header = append(header, '\n')
	head := binary.LittleEndian.AppendUint16([]byte(magic), uint16(len(header)))
	if _, err := w.Write(append(head, header...)); err != nil {
		return err
	}
	for _, logits := range r.Logits {
		if err := binary.Write(w, binary.LittleEndian, logits); err != nil {
			return err
		}
	}
	return nil
}
