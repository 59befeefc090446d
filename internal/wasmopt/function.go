package wasmopt

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// function is a function as Go's linker emits it if it contains jumps: a loop around nested blocks.
// The innermost block contains a table that branches to the end of each block, where a stretch of
// code begins.
type function struct {
	head      []instruction // before the loop
	outer     int           // blocks that are still open at the end of the head
	table     []int         // the stretch for each number; the last entry is the default
	stretches []stretch
	tail      []instruction
}

// stretch is the code from the end of one block to the end of the next.
type stretch struct {
	pieces []piece
	next   int  // the stretch that follows in execution; -1 if the stretch ends otherwise or continues with the tail
	known  bool // another function may store a number that leads to it
}

// piece is one instruction. A jump by the table is represented by its branch alone, without the
// instructions that set the number.
type piece struct {
	instruction
	to place // for branches and jumps
}

// place is the destination of a branch or jump, or a block or loop that is open while a function is
// written.
type place struct {
	kind  placeKind
	which int // the stretch, or the block of the head or of the stretch, counted from the outermost
}

type placeKind int

const (
	nowhere    placeKind = iota // not a branch
	jumpPlace                   // a stretch, through its end, its loop or the table
	outerPlace                  // a block of the head; 0 is the function itself
	innerPlace                  // a block of the stretch
	mainPlace                   // the loop around the table
	endPlace                    // the block before a stretch
	loopPlace                   // the loop that starts at a stretch
)

// read splits a function into its parts; ok is false if it has another form.
func read(instructions []instruction) (f *function, ok bool) {
	loop := slices.IndexFunc(instructions, func(in instruction) bool { return in.op == opLoop })
	if loop < 0 {
		return nil, false
	}
	f = &function{head: instructions[:loop], outer: 1}
	for _, in := range f.head {
		switch in.op {
		case opBlock, opIf:
			f.outer++
		case opEnd:
			f.outer--
		case opBr, opBrIf, opBrTable:
			return nil, false
		}
	}
	at, blocks := loop+1, 0
	for ; at < len(instructions) && instructions[at].op == opBlock && instructions[at].bytes[1] == empty; at++ {
		blocks++
	}
	if blocks == 0 || at+2 >= len(instructions) || !bytes.Equal(instructions[at].bytes, []byte{opLocalGet, 0}) ||
		instructions[at+1].op != opBrTable || instructions[at+2].op != opEnd {
		return nil, false
	}
	numbers := instructions[at+1].bytes[1:]
	count, n := binary.Uvarint(numbers)
	for range count + 1 {
		numbers = numbers[n:]
		var depth uint64
		if depth, n = binary.Uvarint(numbers); n <= 0 || depth >= uint64(blocks) {
			return nil, false
		}
		f.table = append(f.table, int(depth))
	}
	f.stretches = make([]stretch, blocks)
	if f.tail, ok = f.readStretches(instructions[at+3:]); !ok {
		return nil, false
	}
	for s := range f.stretches {
		ok = ok && slices.Contains(f.table, s)
	}
	f.link()
	return f, ok
}

// readStretches reads the stretches at the beginning of code, and returns the remaining code from
// the end of the loop.
func (f *function) readStretches(code []instruction) (rest []instruction, ok bool) {
	s, inner := 0, 0
	for i, in := range code {
		to := &f.stretches[s]
		p := piece{instruction: in}
		switch in.op {
		case opBlock, opLoop, opIf:
			inner++
		case opEnd:
			if inner--; inner >= 0 {
				break
			}
			if inner = 0; s+1 == len(f.stretches) {
				return code[i:], true
			}
			s++
			continue
		case opBr, opBrIf:
			depth, _ := binary.Uvarint(in.bytes[1:])
			if p, ok = f.branch(p, s, inner, int(depth)); !ok {
				return nil, false
			}
			if p.to.kind == jumpPlace && p.to.which < 0 {
				if p, ok = f.byTable(p, to); !ok {
					return nil, false
				}
			}
		case opBrTable:
			return nil, false
		}
		to.pieces = append(to.pieces, p)
	}
	return nil, false
}

// link computes next and known for all stretches. The first stretch is known, as are stretches
// after calls, where a function resumes after a goroutine switch, and stretches without a jump to
// them, such as the end of a function that recovers.
func (f *function) link() {
	jumped := make([]bool, len(f.stretches))
	called := true
	for i := range f.stretches {
		s := &f.stretches[i]
		s.known = called
		called = false
		for _, p := range s.pieces {
			if p.to.kind == jumpPlace {
				jumped[p.to.which] = true
			}
			called = called || p.op == opCall || p.op == opIndirect
		}
		s.known = s.known || called
		if s.next = i + 1; s.ends() || s.next == len(f.stretches) {
			s.next = -1
		}
	}
	for i := range f.stretches {
		f.stretches[i].known = f.stretches[i].known || !jumped[i]
	}
}

// ends reports whether execution cannot continue past the end of the stretch.
func (s *stretch) ends() bool {
	ending := []byte{opBr, opReturn, opUnreachable}
	return len(s.pieces) > 0 && slices.Contains(ending, s.pieces[len(s.pieces)-1].op)
}

// branch sets the target of a branch inside inner open blocks of the stretch. The stretch is -1 for
// the loop.
func (f *function) branch(p piece, s, inner, depth int) (piece, bool) {
	blocks := len(f.stretches) - 1 - s
	switch {
	case depth < inner:
		p.to = place{innerPlace, inner - 1 - depth}
	case depth < inner+blocks:
		p.to = place{jumpPlace, s + 1 + depth - inner}
	case depth == inner+blocks:
		p.to = place{jumpPlace, -1}
	case depth <= inner+blocks+f.outer:
		p.to = place{outerPlace, inner + blocks + f.outer - depth}
	default:
		return p, false
	}
	return p, true
}

// byTable removes the instructions that set the number of a jump, and sets the stretch that the
// number leads to.
func (f *function) byTable(p piece, s *stretch) (piece, bool) {
	noted := len(s.pieces) - 2
	if p.op != opBr || noted < 0 || s.pieces[noted].op != opI32Const || !bytes.Equal(s.pieces[noted+1].bytes, []byte{opLocalSet, 0}) {
		return p, false
	}
	r := reader{rest: s.pieces[noted].bytes[1:]}
	number := r.signed()
	if r.err != nil || number < 0 {
		return p, false
	}
	s.pieces = s.pieces[:noted]
	p.to.which = f.table[min(number, len(f.table)-1)]
	return p, true
}
