// Package mpi binds what package cluster needs of MPI, the Message Passing Interface, as of
// its version 3: collective operations that do not block, and what starts and ends them. It
// holds code only with the build tag mpi, and then needs a C compiler and an MPI library:
// Open MPI by pkg-config or, with the further tag mpicc, whichever one CC=mpicc knows.
//
// No call blocks inside MPI. A wait asks now and then whether an operation has ended, ever
// more rarely: it leaves the processor to the goroutines that compute, where a blocking call
// would take a whole core, and two goroutines can wait at once in a library that lets in
// one at a time (MPI_THREAD_SERIALIZED).
package mpi
