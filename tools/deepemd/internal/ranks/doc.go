// Package ranks tests the command under mpirun, with two processes on one machine. They must train
// like one process, stop and continue together, and measure the same figures to the last digit. The
// tests build the command with the tag mpi. They run with DEEPEMD_MPI=1, and need mpirun and a C
// compiler.
package ranks
