package wasmopt

import (
	"encoding/binary"
	"slices"
)

type writer struct {
	f    *function
	ends []int // see loops
	open []place
	out  []byte
}

// write encodes the function with the given loops.
func (f *function) write(ends []int) []byte {
	w := &writer{f: f, ends: ends}
	for _, in := range f.head {
		w.out = append(w.out, in.bytes...)
	}
	for i := range f.outer {
		w.open = append(w.open, place{outerPlace, i})
	}
	w.begin(opLoop, place{mainPlace, 0})
	w.blocks(0, len(f.stretches))
	w.writeTable()
	for s := range f.stretches {
		w.end()
		if ends[s] > 0 {
			w.begin(opLoop, place{loopPlace, s})
			w.blocks(s+1, ends[s])
		}
		w.stretch(s)
		if next := f.stretches[s].next; next >= 0 && next != s+1 {
			w.jump(s, opBr, next)
		}
		for at := s; at >= 0; at-- {
			if ends[at] == s+1 {
				w.end()
			}
		}
	}
	for _, in := range f.tail {
		w.out = append(w.out, in.bytes...)
	}
	return w.out
}

func (w *writer) begin(op byte, p place) {
	w.out = append(w.out, op, empty)
	w.open = append(w.open, p)
}

func (w *writer) end() {
	w.out = append(w.out, opEnd)
	w.open = w.open[:len(w.open)-1]
}

// blocks opens the blocks before a range of stretches, except those inside loops.
func (w *writer) blocks(from, to int) {
	var before []int
	for s := from; s < to; s++ {
		before = append(before, s)
		if w.ends[s] > 0 {
			s = w.ends[s] - 1
		}
	}
	for _, s := range slices.Backward(before) {
		w.begin(opBlock, place{endPlace, s})
	}
}

// depth returns the branch depth of a place.
func (w *writer) depth(to place) (depth int, ok bool) {
	at := slices.Index(w.open, to)
	return len(w.open) - 1 - at, at >= 0
}

// writeTable writes the table. The numbers of stretches inside loops are never stored.
func (w *writer) writeTable() {
	w.out = append(w.out, opLocalGet, 0, opBrTable)
	w.out = binary.AppendUvarint(w.out, uint64(len(w.f.table)-1))
	for _, s := range w.f.table {
		depth, ok := w.depth(place{endPlace, s})
		if !ok {
			depth, _ = w.depth(place{endPlace, 0})
		}
		w.out = binary.AppendUvarint(w.out, uint64(depth))
	}
}

func (w *writer) stretch(s int) {
	pieces := w.f.stretches[s].pieces
	outside := len(w.open) // number of open blocks outside the stretch
	for i := 0; i < len(pieces); i++ {
		p := pieces[i]
		switch p.op {
		case opBlock, opLoop, opIf:
			if p.op == opIf && p.bytes[1] == empty && i+2 < len(pieces) && pieces[i+2].op == opEnd && w.branchIf(s, pieces[i+1]) {
				i += 2
				continue
			}
			w.out = append(w.out, p.bytes...)
			w.open = append(w.open, place{innerPlace, len(w.open) - outside})
			continue
		case opEnd:
			w.end()
			continue
		}
		switch p.to.kind {
		case nowhere:
			w.out = append(w.out, p.bytes...)
		case jumpPlace:
			w.jump(s, p.op, p.to.which)
		default:
			w.branch(p.op, p.to)
		}
	}
}

func (w *writer) branch(op byte, to place) {
	depth, _ := w.depth(to)
	w.out = append(w.out, op)
	w.out = binary.AppendUvarint(w.out, uint64(depth))
}

// straight returns the place that a jump can branch to without the table.
func (w *writer) straight(from, to int) (at place, ok bool) {
	at = place{endPlace, to}
	if to <= from {
		at.kind = loopPlace
	}
	return at, slices.Contains(w.open, at)
}

func (w *writer) jump(from int, op byte, to int) {
	if at, ok := w.straight(from, to); ok {
		w.branch(op, at)
		return
	}
	w.out = appendSigned(append(w.out, opI32Const), slices.Index(w.f.table, to))
	w.out = append(w.out, opLocalSet, 0)
	w.branch(op, place{mainPlace, 0})
}

// branchIf writes a conditional direct jump as one instruction, if possible.
func (w *writer) branchIf(s int, p piece) bool {
	if p.op != opBr || p.to.kind != jumpPlace {
		return false
	}
	at, ok := w.straight(s, p.to.which)
	if ok {
		w.branch(opBrIf, at)
	}
	return ok
}
