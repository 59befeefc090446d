package cluster

import (
	"os"
	"strconv"
)

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
