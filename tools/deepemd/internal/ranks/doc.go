// Package ranks tests the command as mpirun starts it, two processes on one machine: that they
// train what one process trains, stop and go on together, and measure to the last digit what
// one measures. The tests build the command with the tag mpi; they run with DEEPEMD_MPI=1, and
// need mpirun and a C compiler.
package ranks
