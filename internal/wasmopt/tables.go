package wasmopt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// dropLines clears data that only stack traces use, and writes the data in few pieces. It does not
// change code.
//
//   - Go's linker omits runs of eight zeros from the data, which results in tens of thousands of pieces with addresses. They compress worse than the zeros. dropLines omits only long runs.
//   - The runtime's tables for unwinding the stack also record the line and file of every call, and the inlined calls. Only stack traces print them. dropLines sets them to zero. A trace then shows "?" for the line, but still names every function that is not inlined.
func dropLines(sections []section) error {
	memory, err := dataMemory(sections)
	if err != nil {
		return err
	}
	t, err := find(memory)
	if err != nil {
		return err
	}
	if err := t.clearLines(); err != nil {
		return err
	}
	setData(sections, memory)
	return nil
}

// The runtime's tables, as declared in runtime/symtab.go and runtime/runtime2.go of Go 1.27: a
// header, function names, file names, the tables from program counters to values, and the
// functions.
var tableHead = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8} // magic, padding, instruction alignment, pointer size

const (
	headBytes = 8 + 8*8 // of the header, which ends with the offsets of the five tables

	// Offsets in a function's record, in bytes.
	entryAt, pcspAt, fileAt, lineAt = 0, 16, 20, 24
	pcCountAt, unitAt, startLineAt  = 28, 32, 36
	kindAt, dataCountAt, listsAt    = 40, 43, 44
	noOffset                        = 1<<32 - 1 // of absent funcdata
	plainKind                       = 0         // of a function without special handling in the runtime
	mostPC, mostData                = 5, 8      // limits in the runtime

	// Entries in the lists of a function that only traces use, and the inlined calls.
	pcUnsafePoint, pcInline, pcArgLive  = 0, 2, 3 // wasm has no asynchronous preemption
	dataInline, dataArgs, dataArgLive   = 3, 5, 6
	moduleNames, moduleGoFunc, moduleHi = 1, 43, 45 // offsets in moduledata, in words
)

type tables struct {
	memory                             []byte
	names, units, files, values, funcs int
	goFunc                             int // base address of funcdata
	functions                          []int
}

var errUnknown = errors.New("the tables of Go's runtime have changed: build with the toolchain in go.mod, or update internal/wasmopt to runtime/symtab.go")

func find(memory []byte) (*tables, error) {
	for from := 0; ; {
		next := bytes.Index(memory[from:], tableHead)
		if next < 0 || from+next+headBytes > len(memory) {
			return nil, errUnknown
		}
		from += next
		word := func(i int) int { return int(binary.LittleEndian.Uint64(memory[from+8*i:])) }
		if word(4) == headBytes { // the names follow the header
			t := &tables{memory: memory, names: from + word(4), units: from + word(5), files: from + word(6), values: from + word(7), funcs: from + word(8)}
			return t, t.check(from, word(1))
		}
		from++
	}
}

func (t *tables) check(header, count int) error {
	ends := []int{header, t.names, t.units, t.files, t.values, t.funcs, len(t.memory)}
	if !slices.IsSorted(ends) || count <= 0 || count > (len(t.memory)-t.funcs)/8 {
		return errUnknown
	}
	for i := range count {
		f := t.funcs + int(t.uint32(t.funcs+8*i+4))
		if f < 0 || f+listsAt > len(t.memory) {
			return errUnknown
		}
		pcs, datas := t.lists(f)
		if pcs > mostPC || datas > mostData || f+listsAt+4*(pcs+datas) > len(t.memory) || t.uint32(f+entryAt) != t.uint32(t.funcs+8*i) {
			return errUnknown
		}
		t.functions = append(t.functions, f)
	}
	// moduledata begins with the addresses of the header and the names.
	record := binary.LittleEndian.AppendUint64(nil, uint64(header))
	record = binary.LittleEndian.AppendUint64(record, uint64(t.names))
	at := bytes.Index(t.memory, record)
	if at < 0 || at+8*moduleHi > len(t.memory) {
		return errUnknown
	}
	t.goFunc = int(binary.LittleEndian.Uint64(t.memory[at+8*moduleGoFunc:]))
	if length := int(binary.LittleEndian.Uint64(t.memory[at+8*(moduleNames+1):])); length != t.units-t.names || t.goFunc < 0 || t.goFunc > len(t.memory) {
		return errUnknown
	}
	return nil
}

// lists returns the numbers of pcdata tables and of funcdata entries of a function.
func (t *tables) lists(f int) (pcs, datas int) {
	return int(t.uint32(f + pcCountAt)), int(t.memory[f+dataCountAt])
}

// clearLines clears lines, files and inlined calls.
//
// The runtime uses inlining information for one other purpose, in recover: it checks that only
// wrappers are between it and the panic. Wrappers and all other functions with special handling in
// the runtime therefore keep their inlining information.
func (t *tables) clearLines() error {
	kept := make([]bool, t.funcs-t.values) // used bytes of the pcdata tables
	data := map[int]bool{}                 // addresses of funcdata, and whether they are used
	for _, f := range t.functions {
		for _, at := range []int{fileAt, lineAt, unitAt, startLineAt} {
			t.put(f+at, 0)
		}
		pcs, datas := t.lists(f)
		pc := func(i int) int { return f + listsAt + 4*i }
		datum := func(i int) int { return f + listsAt + 4*(pcs+i) }
		for i := range datas {
			if at := t.uint32(datum(i)); at != noOffset && !data[t.goFunc+int(at)] {
				data[t.goFunc+int(at)] = false
			}
		}
		for i := range pcs {
			if i == pcUnsafePoint || i == pcArgLive || i == pcInline && t.memory[f+kindAt] == plainKind {
				t.put(pc(i), 0)
			}
		}
		for i := range datas {
			if i == dataArgs || i == dataArgLive || i == dataInline && t.memory[f+kindAt] == plainKind {
				t.put(datum(i), noOffset)
			}
		}
		for i := range datas {
			if at := t.uint32(datum(i)); at != noOffset {
				data[t.goFunc+int(at)] = true
			}
		}
		for i := -1; i < pcs; i++ {
			at := t.uint32(f + pcspAt)
			if i >= 0 {
				at = t.uint32(pc(i))
			}
			if err := t.keep(kept, int(at)); err != nil {
				return err
			}
		}
	}
	for i, used := range kept {
		if !used {
			t.memory[t.values+i] = 0
		}
	}
	clear(t.memory[t.units:t.values]) // file names
	return t.clearData(data)
}

// keep marks the pcdata table at begin as used: pairs of value and counter differences, up to a
// value difference of zero that is not the first. 0 means that there is no table.
func (t *tables) keep(kept []bool, begin int) error {
	if begin == 0 {
		return nil
	}
	for at := begin; ; {
		if at < 0 || at >= len(kept) {
			return fmt.Errorf("%w (a table at %d of %d)", errUnknown, begin, len(kept))
		}
		if t.memory[t.values+at] == 0 && at > begin {
			return nil // clearLines sets bytes without a mark to 0, which this one is
		}
		for range 2 {
			_, length := binary.Uvarint(t.memory[t.values+at : t.funcs])
			if length <= 0 {
				return fmt.Errorf("%w (a table at %d of %d)", errUnknown, begin, len(kept))
			}
			for i := range length {
				kept[at+i] = true
			}
			at += length
		}
	}
}

// clearData clears unused funcdata, each up to the next entry.
func (t *tables) clearData(data map[int]bool) error {
	begins := slices.Sorted(maps.Keys(data))
	for i, at := range begins {
		if at < t.goFunc || at > len(t.memory) {
			return errUnknown
		}
		if !data[at] && i+1 < len(begins) {
			clear(t.memory[at:min(begins[i+1], len(t.memory))])
		}
	}
	return nil
}

func (t *tables) uint32(at int) uint32 { return binary.LittleEndian.Uint32(t.memory[at:]) }

func (t *tables) put(at int, v uint32) { binary.LittleEndian.PutUint32(t.memory[at:], v) }
