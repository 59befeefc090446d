package cluster

// Group is a number of processes, its ranks, that call the same methods in the same order,
// each once: no rank goes on before all have what they need. A group is for one goroutine
// at a time; [Group.Duplicate] makes another one for a second goroutine.
//
// # Errors
//
// Every method that communicates fails when a rank is gone, or has called Abort. A rank that
// fails otherwise should call Abort, since the others wait for it.
type Group interface {
	// Rank is this process's number, from 0 to Size−1.
	Rank() int
	// Size is the number of ranks, at least 1.
	Size() int

	// SumFloat32 replaces values by the sums over all ranks, the same bits on each. All
	// ranks give as many values.
	SumFloat32(values []float32) error
	// SumFloat64 is SumFloat32 of float64.
	SumFloat64(values []float64) error
	// Exchange sends the i-th of Size equal parts of src to rank i, and sets the i-th part
	// of dst, of the same length, to what rank i has sent here.
	Exchange(dst, src []byte) error
	// Join sets dst to the parts of all ranks, one after the other. They are of one
	// length, and dst is Size times as long.
	Join(dst, part []byte) error
	// Gather returns the parts of all ranks, which may differ in length, on rank 0, and
	// nil elsewhere.
	Gather(part []byte) ([][]byte, error)
	// Broadcast replaces values by those of rank 0. All ranks give as many.
	Broadcast(values []byte) error
	// Barrier returns when every rank has called it.
	Barrier() error

	// Duplicate returns a group of the same ranks, whose methods another goroutine may
	// call meanwhile.
	Duplicate() (Group, error)
	// Abort ends the work of all ranks, whatever they wait for.
	Abort()
}

// Leads reports whether the process is the one of its group that prints and writes files.
func Leads(g Group) bool { return g.Rank() == 0 }
