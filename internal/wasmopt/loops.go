package wasmopt

// loops finds the stretches that are loops of their own: for each stretch with which one
// begins the stretch behind its last, and 0 for the others. Jumps back to the first become
// branches. So nobody may come into the others but from within: no jump from outside, and no
// number of the table.
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
					end[first], known[first], again = 0, true, true // jumps back go by the table
				}
			}
		}
	}
	return end
}

// backward is how far jumps come from that lead back to each stretch: one past the last, 0
// for none.
func (f *function) backward() (end []int) {
	end = make([]int, len(f.stretches))
	f.ways(func(from, to int) {
		if to <= from {
			end[to] = max(end[to], from+1)
		}
	})
	return end
}

// nest has loops that begin in another end in it, too.
func nest(end []int) {
	for first := range end {
		for s := first + 1; s < end[first]; s++ {
			end[first] = max(end[first], end[s])
		}
	}
}

// entered says for each loop whether a jump leads into it from outside, not to its first
// stretch.
func (f *function) entered(end []int) []bool {
	entered := make([]bool, len(end))
	f.ways(func(from, to int) {
		for first := range to {
			if to < end[first] && (from < first || from >= end[first]) {
				entered[first] = true
			}
		}
	})
	return entered
}

// ways calls do for every way from one stretch to another, or to itself.
func (f *function) ways(do func(from, to int)) {
	for s := range f.stretches {
		if next := f.stretches[s].next; next >= 0 {
			do(s, next)
		}
		for _, p := range f.stretches[s].pieces {
			if p.to.kind == toStretch {
				do(s, p.to.which)
			}
		}
	}
}
