// Package cluster has processes work together: the ranks of a [Group], which sum numbers,
// collect bytes and wait for each other. Whoever trains, measures or embeds on several
// machines knows no more of them than this.
//
// A program is [Alone] unless it was built with the tag mpi and started by mpirun or srun:
// then [Start] joins the ranks of MPI. [InProcess] makes ranks of goroutines, for tests. The
// group of a command travels in its context: [With] and [Of].
//
// [Replicas] keeps a training run alike on all ranks; its [Reducer] sums gradients while they
// compute. [All], [FromLeader], [Agree] and [Together] pass values and errors between ranks.
//
// docs/cluster has the files that start a run under Slurm and Kubernetes.
package cluster

import (
	"context"
	"os"
	"strconv"
)

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

type key struct{}

// With returns a context that carries the group of a command.
func With(ctx context.Context, g Group) context.Context { return context.WithValue(ctx, key{}, g) }

// Of returns the group that a context carries, [Alone] where it carries none.
func Of(ctx context.Context) Group {
	g, _ := ctx.Value(key{}).(Group)
	return Or(g)
}

// sizes are the variables by which those who start processes say how many there are: Open
// MPI, and the managers of processes of MPICH and Slurm.
var sizes = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}

// started is how many processes were started together, as the environment says, and the
// variable that says so; 1 where nothing does.
func started() (size int, variable string) {
	for _, name := range sizes {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return n, name
		}
	}
	return 1, ""
}
