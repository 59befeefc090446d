package wasmopt

import (
	"encoding/binary"
	"fmt"
)

// straighten lets the jumps of a program's functions lead straight to their targets. Functions
// of another form than Go's linker gives them stay as they are.
//
// WebAssembly has no jumps but out of blocks and back to the beginning of loops. Go's
// linker makes of every function one loop around a table of its stretches: a jump notes the
// number of a stretch, goes back to the beginning, and the table takes it there. Where the
// stretch lies ahead, the end of a block is there anyway, to which a branch leads as well.
// Where it lies behind, and nobody comes into the stretches from there on but by that one,
// they are a loop of their own. All others, such as those to where a goroutine continues after it waited,
// still go by the table.
//
// Browsers compile such functions in less time, too: they judge by the length of the way back
// how often a function has run, and compile it well after it has gone some million bytes.
func straighten(sections []section) error {
	for i, s := range sections {
		if s.kind != codeSection {
			continue
		}
		bodies, err := functionBodies(s.content)
		if err != nil {
			return err
		}
		code := binary.AppendUvarint(nil, uint64(len(bodies))) // LEB128 is Go's varint
		for number, body := range bodies {
			if body, err = straight(body); err != nil {
				return fmt.Errorf("function %d: %w", number, err)
			}
			code = binary.AppendUvarint(code, uint64(len(body)))
			code = append(code, body...)
		}
		sections[i].content = code
	}
	return nil
}

// straight is the body of a function with straight jumps.
func straight(body []byte) ([]byte, error) {
	instructions, err := decode(body)
	if err != nil {
		return nil, err
	}
	f, ok := read(instructions)
	if !ok {
		return body, nil
	}
	f.rotate()
	return f.write(f.loops()), nil
}
