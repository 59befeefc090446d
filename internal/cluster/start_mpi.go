//go:build mpi

package cluster

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/internal/cluster/mpi"
)

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
	shareCores()
	world, err := mpi.Init()
	if err != nil {
		return nil, nil, err
	}
	return ranks{world}, mpi.Finalize, nil
}

// neighbours say how many ranks are on this machine: Open MPI's variable, and MPICH's.
var neighbours = []string{"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}

// shareCores has the ranks on a machine take their parts of its cores, unless mpirun has given
// each cores of its own, or GOMAXPROCS says how many.
func shareCores() {
	online, err := os.ReadFile("/sys/devices/system/cpu/online")
	if os.Getenv("GOMAXPROCS") != "" || err != nil || runtime.NumCPU() < count(string(online)) {
		return
	}
	for _, name := range neighbours {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 1 {
			runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)/n))
			return
		}
	}
}

// ranks are those of an MPI communicator.
type ranks struct{ *mpi.Comm }

// Duplicate implements [Group].
func (r ranks) Duplicate() (Group, error) {
	other, err := r.Comm.Duplicate()
	return ranks{other}, err
}

// count is the number of processors in a list of Linux's, such as 0-3,8; 0 for no such list.
func count(list string) (n int) {
	for _, span := range strings.Split(strings.TrimSpace(list), ",") {
		first, last, isSpan := strings.Cut(span, "-")
		if !isSpan {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, alsoErr := strconv.Atoi(last)
		if err != nil || alsoErr != nil || to < from {
			return 0
		}
		n += to - from + 1
	}
	return n
}
