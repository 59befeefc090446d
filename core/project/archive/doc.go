// Package archive is the file of a project: a zip archive named *.deepemd with the
// manifest of package project, the pictures exactly as the network saw them, and their
// local embeddings with the network that made them.
//
// Save and Open go from a learner to a file and back, with the same answers as in the
// studio; Write and Read handle the file alone. All read and write bytes, without an
// operating system. Pages do the same with wasm/npm/project.js: this package would make
// the engine an eighth larger. Tests compare the two.
package archive
