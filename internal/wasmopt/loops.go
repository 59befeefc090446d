package wasmopt

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
	f.ways(func(from, to int) {
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
	f.ways(func(from, to int) {
		for first := range to {
			if to < end[first] && (from < first || from >= end[first]) {
				entered[first] = true
			}
		}
	})
	return entered
}

// ways calls do for all transitions between stretches.
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
