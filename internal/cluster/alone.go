package cluster

// Alone is the group of a process that works by itself. It needs nothing, and costs nothing.
type Alone struct{}

// Rank implements [Group].
func (Alone) Rank() int { return 0 }

// Size implements [Group].
func (Alone) Size() int { return 1 }

// SumFloat32 implements [Group]: the sum over one rank is there already.
func (Alone) SumFloat32([]float32) error { return nil }

// SumFloat64 implements [Group].
func (Alone) SumFloat64([]float64) error { return nil }

// Exchange implements [Group].
func (Alone) Exchange(dst, src []byte) error {
	copy(dst, src)
	return nil
}

// Join implements [Group].
func (Alone) Join(dst, part []byte) error {
	copy(dst, part)
	return nil
}

// Gather implements [Group].
func (Alone) Gather(part []byte) ([][]byte, error) { return [][]byte{part}, nil }

// Broadcast implements [Group].
func (Alone) Broadcast([]byte) error { return nil }

// Barrier implements [Group].
func (Alone) Barrier() error { return nil }

// Duplicate implements [Group].
func (Alone) Duplicate() (Group, error) { return Alone{}, nil }

// Abort implements [Group]: nobody waits.
func (Alone) Abort() {}

// Or returns g, or the group of a process alone where g is nil: for settings whose zero value
// is a program of one process.
func Or(g Group) Group {
	if g == nil {
		return Alone{}
	}
	return g
}
