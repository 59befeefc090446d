//go:build mpi

package cluster

import "github.com/deepemd/deepemd/trainer/cluster/internal/mpi"

// MPI says whether the program can join the ranks of MPI.
const MPI = true

// Start returns the group of this process, and what ends its part in it: the ranks of MPI
// where the process was started as one of several, else [Alone].
//
// # Errors
//
// MPI that does not start.
func Start() (g Group, end func(), err error) {
	if n, _ := started(); n == 1 {
		return Alone{}, func() {}, nil
	}
	world, err := mpi.Init()
	if err != nil {
		return nil, nil, err
	}
	return ranks{world}, mpi.Finalize, nil
}

// ranks are those of an MPI communicator.
type ranks struct{ *mpi.Comm }

// Duplicate implements [Group].
func (r ranks) Duplicate() (Group, error) {
	other, err := r.Comm.Duplicate()
	return ranks{other}, err
}
