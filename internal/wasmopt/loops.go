package wasmopt

import "slices"

// loops finds the stretches that can form their own loops. It returns the stretch after the last
// one of each loop by its first stretch, and 0 for all others. Jumps back to the first stretch
// become branches. The other stretches of a loop must not be entered from outside, neither by a
// jump nor by a number of the table.
func (f *function) loops() (end []int) {
	end = f.backward()
	known := make([]bool, len(f.stretches))
	for s := range known {
		known[s] = f.stretches[s].known
	}
	for again := true; again; {
		again = false
		nest(end)
		entered := f.entered(end)
		for first := range end {
			for s := first + 1; s < end[first]; s++ {
				if known[s] || entered[first] {
					end[first], known[first], again = 0, true, true // jumps back use the table
				}
			}
		}
	}
	return end
}

// backward returns the end of the range of jumps back to each stretch, or 0 without such jumps.
func (f *function) backward() (end []int) {
	end = make([]int, len(f.stretches))
	f.transitions(func(from, to int) {
		if to <= from {
			end[to] = max(end[to], from+1)
		}
	})
	return end
}

// nest extends loops so that loops that start inside also end inside.
func nest(end []int) {
	for first := range end {
		for s := first + 1; s < end[first]; s++ {
			end[first] = max(end[first], end[s])
		}
	}
}

// entered reports for each loop whether a jump from outside leads to a stretch other than its
// first.
func (f *function) entered(end []int) []bool {
	entered := make([]bool, len(end))
	f.transitions(func(from, to int) {
		for first := range to {
			if to < end[first] && (from < first || from >= end[first]) {
				entered[first] = true
			}
		}
	})
	return entered
}

// transitions calls do for all transitions between stretches.
func (f *function) transitions(do func(from, to int)) {
	for s := range f.stretches {
		if next := f.stretches[s].next; next >= 0 {
			do(s, next)
		}
		for _, p := range f.stretches[s].pieces {
			if p.to.kind == jumpPlace {
				do(s, p.to.which)
			}
		}
	}
}

// rotate moves stretches so that loops start at their entry. Go's compiler may place the code
// between two iterations first, and enter the loop after it, at the condition.
func (f *function) rotate() {
	for range f.stretches {
		first, entry, end := f.findLoop()
		if end == 0 {
			return
		}
		f.rotateStretches(first, entry, end)
	}
}

// findLoop finds a loop with a single entry that is not its first stretch; end is 0 if there is none.
func (f *function) findLoop() (first, entry, end int) {
	ends := f.backward()
	nest(ends)
	for first := range slices.Backward(ends) {
		if end := ends[first]; end > first+1 && (end < len(ends) || f.stretches[end-1].ends()) { // a stretch that continues with the tail must stay last
			if entry, ok := f.entry(first, end); ok && entry > first && !f.isSpanned(first, entry, end) {
				return first, entry, end
			}
		}
	}
	return 0, 0, 0
}

// entry returns the stretch through which all transitions enter the range.
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
	f.transitions(func(from, to int) {
		if to >= first && to < end && (from < first || from >= end) {
			note(to)
		}
	})
	return entry, ok && entry >= 0
}

// isSpanned reports whether a smaller loop spans the entry.
func (f *function) isSpanned(first, entry, end int) (is bool) {
	f.transitions(func(from, to int) {
		is = is || to > first && to < entry && from >= entry && from < end
	})
	return is
}

// rotateStretches rotates the stretches first to end so that they start with entry.
func (f *function) rotateStretches(first, entry, end int) {
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
			if to := &s.pieces[j].to; to.kind == jumpPlace {
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
