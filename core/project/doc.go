// Package project is the file of a project: a zip archive named *.deepemd with a
// manifest in JSON, the pictures exactly as the network saw them, and their local
// embeddings with the network that made them. FORMAT.md beside this file describes
// it for other programs.
//
// It reads and writes bytes, without an operating system. The studio uses the
// manifest's types from here, but reads and writes the archive with
// wasm/npm/project.js: this package would make the engine an eighth larger. Tests
// compare the two.
package project
