// Package cluster distributes work to processes: the ranks of a [Group], which sum numbers, collect
// bytes and wait for each other. Training, evaluation and embedding use only this interface.
//
// A program has the group [Single], unless it was built with the tag mpi and started by mpirun or
// srun: then [Start] joins the ranks of MPI. [InProcess] makes ranks of goroutines, for tests. The
// group of a command is in its context: [With] and [Of].
//
// [Replicas] keeps a training run identical on all ranks; its [Reducer] sums gradients during
// computation. [AllGather], [FromLeader], [AgreeOnError] and [Gather] exchange values and errors.
//
// docs/cluster has the files that start a run under Slurm and Kubernetes.
package cluster

import (
	"context"
	"os"
	"strconv"
)

// Group is a set of processes, its ranks, that call the same methods in the same order: no rank
// continues before all have called. Only one goroutine at a time may use a group; [Group.Duplicate]
// makes another group for a second goroutine.
//
// # Errors
//
// Every method that communicates fails if a rank has ended or called Abort. A rank that fails
// otherwise should call Abort, since the others wait for it.
type Group interface {
	// Rank returns the number of this process, from 0 to Size−1.
	Rank() int
	// Size returns the number of ranks, at least 1.
	Size() int

	// SumFloat32 replaces values by the sums over all ranks, which are identical on each. All ranks
	// pass the same number of values.
	SumFloat32(values []float32) error
	// SumFloat64 is SumFloat32 of float64.
	SumFloat64(values []float64) error
	// Exchange sends the i-th of Size equal parts of src to rank i, and stores the part received
	// from rank i in the i-th part of dst, which has the same length.
	Exchange(dst, src []byte) error
	// Join sets dst to the parts of all ranks, in order. Parts have the same length, and dst is
	// Size times as long.
	Join(dst, part []byte) error
	// Broadcast replaces values on all ranks by rank 0's. All ranks pass the same number.
	Broadcast(values []byte) error

	// Duplicate returns a group of the same ranks for another goroutine.
	Duplicate() (Group, error)
	// Abort ends the work of all ranks immediately.
	Abort()
}

// IsFirst reports whether the process is rank 0, which prints and writes files.
func IsFirst(g Group) bool { return g.Rank() == 0 }

// Single is the group of a single process.
type Single struct{}

// Rank implements [Group].
func (Single) Rank() int { return 0 }

// Size implements [Group].
func (Single) Size() int { return 1 }

// SumFloat32 implements [Group].
func (Single) SumFloat32([]float32) error { return nil }

// SumFloat64 implements [Group].
func (Single) SumFloat64([]float64) error { return nil }

// Exchange implements [Group].
func (Single) Exchange(dst, src []byte) error {
	copy(dst, src)
	return nil
}

// Join implements [Group].
func (Single) Join(dst, part []byte) error {
	copy(dst, part)
	return nil
}

// Broadcast implements [Group].
func (Single) Broadcast([]byte) error { return nil }

// Duplicate implements [Group].
func (Single) Duplicate() (Group, error) { return Single{}, nil }

// Abort implements [Group].
func (Single) Abort() {}

// Or returns g, or [Single] if g is nil.
func Or(g Group) Group {
	if g == nil {
		return Single{}
	}
	return g
}

type key struct{}

// With returns a context that carries the group of a command.
func With(ctx context.Context, g Group) context.Context { return context.WithValue(ctx, key{}, g) }

// Of returns the group of a context, or [Single].
func Of(ctx context.Context) Group {
	g, _ := ctx.Value(key{}).(Group)
	return Or(g)
}

// Neighbors returns the number of ranks on this machine, which share its cores and memory, according
// to the variables of Open MPI and MPICH; otherwise 1.
func Neighbors() int {
	for _, name := range []string{"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"} {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

// Memory returns the memory in bytes that the process may use, or 0 if it is unknown. Ranks on the
// same machine share its memory equally.
func Memory() int64 { return memory() / int64(Neighbors()) }

// started returns the number of processes that were started together, and the variable that states
// it; 1 otherwise. The variables are of Open MPI, of the process managers of MPICH and Slurm, and of
// a step of Slurm, whose processes form a group only with PMIx (srun --mpi=pmix).
func started() (size int, variable string) {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"} {
		if name == "SLURM_STEP_NUM_TASKS" && os.Getenv("PMIX_RANK") == "" {
			continue
		}
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return n, name
		}
	}
	return 1, ""
}
