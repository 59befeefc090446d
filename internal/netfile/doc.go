// Package netfile reads networks in whatever form they lie on disk and completes the
// facts that are needed to use them: the project's safetensors, PyTorch's files as
// the reference implementation writes them, ONNX models, NumPy's arrays, and the
// folders of training runs.
package netfile
