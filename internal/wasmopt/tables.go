package wasmopt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// dropLines clears what only traces need, and writes the data in few pieces. Code stays the
// same, byte for byte.
//
//   - Go's linker leaves runs of eight zeros out of the data, which then come in tens of
//     thousands of pieces, each with its address: that compresses worse than the zeros. Here
//     only long runs are left out.
//   - The tables by which the runtime unwinds the stack also record the line and file of every
//     call, and the inlined calls. Only traces print them. They become zeros, and a trace says
//     "?" for the line; it still names every function that was not inlined.
func dropLines(sections []section) error {
	memory, err := dataMemory(sections)
	if err != nil {
		return err
	}
	t, err := find(memory)
	if err != nil {
		return err
	}
	if err := t.forgetLines(); err != nil {
		return err
	}
	setData(sections, memory)
	return nil
}

// The runtime's tables, as runtime/symtab.go and runtime/runtime2.go of Go 1.27 declare
// them: a header, the names of functions, those of files, the tables from program
// counters to values, and the functions.
var tableHead = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8} // magic, padding, least instruction, size of pointers

const (
	headBytes = 8 + 8*8 // of the header: offsets of the five tables are its last

	// Of a function, in bytes from its begin.
	entryAt, pcspAt, fileAt, lineAt = 0, 16, 20, 24
	pcCountAt, unitAt, startLineAt  = 28, 32, 36
	kindAt, dataCountAt, listsAt    = 40, 43, 44
	noOffset                        = 1<<32 - 1 // of funcdata that is absent
	plainKind                       = 0         // of a function that the runtime knows no more of
	mostPC, mostData                = 5, 8      // how many of each the runtime declares

	// In lists of a function: what is for traces only, and where calls were inlined.
	pcUnsafePoint, pcInline, pcArgLive  = 0, 2, 3 // nothing is preempted between calls on wasm
	dataInline, dataArgs, dataArgLive   = 3, 5, 6
	moduleNames, moduleGoFunc, moduleHi = 1, 43, 45 // of moduledata, in words
)

// tables are those of a program in memory. Numbers are addresses.
type tables struct {
	memory                             []byte
	names, units, files, values, funcs int
	goFunc                             int // what funcdata is counted from
	functions                          []int
}

var errUnknown = errors.New("the tables of Go's runtime are not where they were: build with the toolchain in go.mod, or bring internal/wasmopt up to date with runtime/symtab.go")

// find returns the tables in memory.
func find(memory []byte) (*tables, error) {
	for from := 0; ; {
		next := bytes.Index(memory[from:], tableHead)
		if next < 0 || from+next+headBytes > len(memory) {
			return nil, errUnknown
		}
		from += next
		word := func(i int) int { return int(binary.LittleEndian.Uint64(memory[from+8*i:])) }
		if word(4) == headBytes { // the names follow at once
			t := &tables{memory: memory, names: from + word(4), units: from + word(5), files: from + word(6), values: from + word(7), funcs: from + word(8)}
			return t, t.check(from, word(1))
		}
		from++
	}
}

// check makes sure that the tables are what they are taken for, and lists the functions.
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
	// The module's own record begins with where the header and the names are.
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

// lists returns how many tables by program counter and how many pieces of data a function has.
func (t *tables) lists(f int) (pcs, datas int) {
	return int(t.uint32(f + pcCountAt)), int(t.memory[f+dataCountAt])
}

// forgetLines takes out what says which line code is of, and what was inlined where.
//
// The runtime asks one question about inlining whose answer counts, in recover: whether only
// wrappers lie between it and the panic. Wrappers, and all other functions of a kind that the
// runtime knows, keep what was inlined in them.
func (t *tables) forgetLines() error {
	kept := make([]bool, t.funcs-t.values) // bytes of the tables by program counter that are used
	data := map[int]bool{}                 // addresses of the functions' data, and whether they are used
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
	clear(t.memory[t.units:t.values]) // names of files
	return t.clearData(data)
}

// keep marks the table by program counter that begins there: pairs of a difference of values
// and one of counters, until a difference of zero that is not the first. At 0 there is none.
func (t *tables) keep(kept []bool, begin int) error {
	if begin == 0 {
		return nil
	}
	for at := begin; ; {
		if at < 0 || at >= len(kept) {
			return fmt.Errorf("%w (a table at %d of %d)", errUnknown, begin, len(kept))
		}
		if t.memory[t.values+at] == 0 && at > begin {
			kept[at] = true
			return nil
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

// clearData makes zeros of the functions' data that are used no more, each up to the next.
func (t *tables) clearData(data map[int]bool) error {
	begins := make([]int, 0, len(data))
	for at := range data {
		begins = append(begins, at)
	}
	slices.Sort(begins)
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
