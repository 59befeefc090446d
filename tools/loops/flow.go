package main

import "slices"

// innermost returns the natural loops of a function that hold no other, each as its
// instructions, in the order of their heads.
func innermost(code []instruction) [][]instruction {
	next := successors(code)
	dominated := dominators(next)
	loops := map[int][]bool{} // by the head: which instructions belong
	var heads []int
	for tail, to := range next {
		for _, head := range to {
			if !dominated[tail][head] { // no way back
				continue
			}
			if loops[head] == nil {
				loops[head] = make([]bool, len(code))
				loops[head][head] = true
				heads = append(heads, head)
			}
			gather(loops[head], next, tail)
		}
	}
	slices.Sort(heads)
	var found [][]instruction
	for _, head := range heads {
		within := loops[head]
		if slices.ContainsFunc(heads, func(other int) bool { return other != head && within[other] }) {
			continue
		}
		var loop []instruction
		for i, in := range code {
			if within[i] {
				loop = append(loop, in)
			}
		}
		found = append(found, loop)
	}
	return found
}

// gather adds to a loop what leads to its tail without passing its head.
func gather(loop []bool, next [][]int, tail int) {
	before := make([][]int, len(next))
	for from, to := range next {
		for _, i := range to {
			before[i] = append(before[i], from)
		}
	}
	for open := []int{tail}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		if !loop[i] {
			loop[i] = true
			open = append(open, before[i]...)
		}
	}
}

// successors are the instructions that may run after each.
func successors(code []instruction) [][]int {
	at := map[uint64]int{}
	for i, in := range code {
		at[in.address] = i
	}
	next := make([][]int, len(code))
	for i, in := range code {
		if !in.ends && i+1 < len(code) {
			next[i] = append(next[i], i+1)
		}
		if to, ok := at[in.target]; ok && in.target != 0 {
			next[i] = append(next[i], to)
		}
	}
	return next
}

// dominators tells of each instruction which ones every way to it passes, itself included.
// Of instructions that no way leads to it tells nothing.
func dominators(next [][]int) [][]bool {
	n := len(next)
	over := make([][]bool, n)
	if n == 0 {
		return over
	}
	over[0] = make([]bool, n)
	over[0][0] = true
	for changed := true; changed; {
		changed = false
		for from := range next {
			if over[from] == nil {
				continue
			}
			for _, to := range next[from] {
				if over[to] == nil {
					over[to] = slices.Clone(over[from])
					over[to][to] = true
					changed = true
					continue
				}
				for i, has := range over[to] {
					if has && i != to && !over[from][i] {
						over[to][i], changed = false, true
					}
				}
			}
		}
	}
	for i := range over {
		if over[i] == nil {
			over[i] = make([]bool, n)
		}
	}
	return over
}
