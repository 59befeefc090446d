// Package arrays hands the trainer's arrays to other programs and takes theirs:
// features, weights and batches as the *tensor.Dense of gorgonia.org/tensor
// (called dense here, since internal/tensor has the name), and as NumPy's files.
//
// A Dense made here lies over the slice that it was made of; nothing is copied
// but where values have to be gathered from several places. What is computed is
// not this room's business: its tests compare the core's arithmetic with
// gorgonia's, which shares no code with it.
//
// NumPy's files are read and written here and not by Dense.ReadNpy and WriteNpy,
// which end a header without the line feed that the format asks for (another
// reader panics at that), take big-endian values for little-endian ones, cannot
// read whole numbers, and believe any shape that a file claims.
package arrays
