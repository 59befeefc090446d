// Package format is the folder of files, the trainer's and those of other programs; it
// holds no code itself. The formats that inference needs are in core: weights, project,
// gallery.
//
//   - artifact: writing whole or not at all
//   - hold: one process at a time writes
//   - netfile: networks, in whatever form they lie on disk
//   - transport: transport problems, in JSON
//   - indexfile: indexes of galleries, by their paths
//   - torch: PyTorch's weights, read
//   - onnx: ONNX models, written; onnx/graph and onnx/layers read them
//   - transport: transport problems, read and solved
//   - arrays: NumPy's arrays, read and written, and gorgonia's tensors
package format
