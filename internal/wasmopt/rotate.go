package wasmopt

import "slices"

// rotate moves stretches so that loops begin where they are entered. Go's compiler lets a
// loop begin with what stands between two turns, and enters it behind that, at its condition.
func (f *function) rotate() {
	for range f.stretches {
		first, entry, end := f.turned()
		if end == 0 {
			return
		}
		f.move(first, entry, end)
	}
}

// turned finds a loop that is entered at one stretch alone, which is not its first; end is 0
// where there is none.
func (f *function) turned() (first, entry, end int) {
	ends := f.backward()
	nest(ends)
	for first := range slices.Backward(ends) {
		if end := ends[first]; end > first+1 && (end < len(ends) || f.stretches[end-1].ends()) { // before the tail stays what runs on into it
			if entry, ok := f.entry(first, end); ok && entry > first && !f.straddled(first, entry, end) {
				return first, entry, end
			}
		}
	}
	return 0, 0, 0
}

// entry is the stretch of some by which all others come into them.
func (f *function) entry(first, end int) (entry int, ok bool) {
	entry, ok = -1, true
	note := func(s int) {
		ok = ok && (entry < 0 || entry == s)
		entry = s
	}
	for s := first; s < end; s++ {
		if f.stretches[s].known {
			note(s)
		}
	}
	f.ways(func(from, to int) {
		if to >= first && to < end && (from < first || from >= end) {
			note(to)
		}
	})
	return entry, ok && entry >= 0
}

// straddled tells whether a smaller loop lies across a stretch.
func (f *function) straddled(first, entry, end int) (is bool) {
	f.ways(func(from, to int) {
		is = is || to > first && to < entry && from >= entry && from < end
	})
	return is
}

// move lets the stretches from one to another begin with one between.
func (f *function) move(first, entry, end int) {
	place := func(s int) int {
		switch {
		case s < first || s >= end:
			return s
		case s < entry:
			return s + end - entry
		}
		return s - (entry - first)
	}
	moved := make([]stretch, len(f.stretches))
	for i, s := range f.stretches {
		if s.next >= 0 {
			s.next = place(s.next)
		}
		for j := range s.pieces {
			if to := &s.pieces[j].to; to.kind == toStretch {
				to.which = place(to.which)
			}
		}
		moved[place(i)] = s
	}
	f.stretches = moved
	for i, s := range f.table {
		f.table[i] = place(s)
	}
}
