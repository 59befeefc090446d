// Package trainer is the room of everything that happens before a network is
// used, and of measuring what it is worth; it holds no code itself. It runs
// natively only.
//
//   - data: pictures by class, splits of the classes, and episodes
//   - augment: random variations and disturbances of pictures
//   - training: the steps of a run, layers with gradients, pre-training and
//     meta-training
//   - cluster: processes that work together, by MPI
//   - recipes: the settings of the project's own runs
//   - format: files of other programs (networks, ONNX, NumPy, transport problems), and
//     indexes by their paths
//   - measure: evaluation, the paper's tables, retrieval, conformance, figures
//   - internal/emdlayer: the score of a match with its gradient
//   - internal/torch, internal/onnxread: PyTorch's weights and ONNX models, read
//
// The folder results holds runs, reports and networks. It is a module of its own,
// so that programs which import this one do not download it.
package trainer
