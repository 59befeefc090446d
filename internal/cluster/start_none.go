//go:build !mpi

package cluster

import "fmt"

// MPI reports whether the program can join the ranks of MPI.
const MPI = false

// Start returns [Single] and a function that does nothing. It returns an error if several processes
// were started: without the build tag mpi, each would do all the work.
func Start() (g Group, end func(), err error) {
	if n, variable := started(); n > 1 {
		return nil, nil, fmt.Errorf("started as one of %d processes (%s=%d), but this program was built without MPI, and each would do all the work: "+
			"build one that shares it with make mpi (go build -tags mpi; it needs Open MPI, on Debian openmpi-bin and libopenmpi-dev), or start it without mpirun", n, variable, n)
	}
	return Single{}, func() {}, nil
}
