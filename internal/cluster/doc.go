// Package cluster has processes work together: the ranks of a [Group], which sum numbers,
// collect bytes and wait for each other. Whoever trains, measures or embeds on several
// machines knows no more of them than this.
//
// A program is [Alone] unless it was built with the tag mpi and started by mpirun or srun:
// then [Start] joins the ranks of MPI. [InProcess] makes ranks of goroutines, for tests. The
// group of a command travels in its context: [With] and [Of].
//
// A [Reducer] sums gradients while the ranks compute.
//
// The folder recipes has the files that start a run under Slurm and Kubernetes.
package cluster
