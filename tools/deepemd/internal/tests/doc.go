// Package tests tests the command as a whole:
//
//   - against values recorded from the authors' code: activations, node weights, similarities, and
//     the logits of whole episodes, starting from image files. The recorded values are not part of
//     the project: see internal/require. With DEEPEMD_FULL=1 (make conformance) the tests compare all
//     episodes instead of a few of each setting.
//   - under faults: full disks, kills, corrupt clocks, low memory, and long runs. DEEPEMD_FAULTS is
//     the number of tries of each fault (make faults), DEEPEMD_SOAK the minutes of the server (make
//     soak).
//   - under mpirun, with two processes on one machine. They must train like one process, stop and
//     continue together, and measure the same figures to the last digit. With DEEPEMD_MPI=1, these
//     tests build the command with the tag mpi, and need mpirun and a C compiler.
package tests
