// Package internal is the room of packages that several rooms share; it holds no code itself.
//
// Networks, for inference and for training:
//
//   - backbone: the network that a file of weights holds
//   - nn: the layers of a network
//   - kernel: the inner loops, once for each instruction set
//   - tensor: arrays of float32
//
// Files of networks and arrays, for the trainer and the command:
//
//   - arrays: NumPy's files, and folders of weights
//   - netfile: a network from a file of any format, with what else must be known of it
//   - onnx: ONNX models, read and written
//
// Also for the trainer and the command:
//
//   - augment: random variations and disturbances of pictures
//   - chart: line charts as SVG
//   - cluster: processes that work together, by MPI
//   - emdlayer: the score of a match with its gradient
//
// For the trainer and the studio:
//
//   - folders: the rule by which files in folders are sorted into classes
//   - foreign: classes of pictures in projects of other programs, and in folders
//
// For the engine, the studio and their types:
//
//   - jsvalue: carries structs to JavaScript and back
//
// For all that reads files:
//
//   - filekind: names a file of another kind than was asked for
//   - namedfile: reads files that users name, with limits
//
// For the studio and the tools:
//
//   - languages: every word that a person reads, in a file for each language
//   - publish: shared pages, the service worker, and a site for any file server
//   - server: hands a built site to browsers
//   - wasmopt: smaller and faster WebAssembly programs
//
// For the tools, and for tests:
//
//   - atomicfile: files written all at once or not at all
//   - bombs: small files that are large or slow to read, and a budget for readers
//   - browsertest: pages in headless Chromium
//   - golden: reference data beside the checkout
//   - networktest: what PyTorch computes of networks with made-up weights
//   - nodetest: scripts asked in Node, for fuzz targets
//   - require: ends a test at an error
//   - resnettest: networks with random weights
//   - solvertest: problems of transport, and certificates of their solutions
//   - testsite: the site and the npm packages, built once for all tests
//   - typescript: the compiler that types are held against
//   - wasmtest: the engine, served, and what its tests share
package internal
