// Package internal contains the packages that several top-level packages share; it has no code
// itself.
//
// Networks, for inference and training:
//
//   - backbone: the network of a weights file
//   - nn: the layers of a network
//   - kernel: the inner loops for each instruction set
//   - tensor: arrays of float32, and their numbers as halves and small integers
//
// Files of networks and arrays, for the trainer and the command:
//
//   - arrays: NumPy files, and folders of weights
//   - netfile: a network and its metadata from a file of any format
//   - onnx: ONNX models, read and written
//
// Also for the trainer and the command:
//
//   - chart: line charts as SVG
//   - augment: random variations and defects of images
//   - cluster: processes that work together, with MPI
//   - plural: numbers of things, and lists of names, in messages
//   - emdlayer: the score of a match with its gradient
//
// For the trainer and the studio:
//
//   - folders: the rule that assigns files in folders to classes
//   - foreign: classes of images from projects of other programs and from folders
//
// For the engine, the studio and their types:
//
//   - jsvalue: conversion of structs to JavaScript and back
//
// For all readers of files:
//
//   - filekind: the kind of a file in error messages
//   - namedfile: limited reads of files that users name
//
// For the studio and the tools:
//
//   - languages: all texts of the interface, one file per language
//   - publish: shared pages, the service worker, and sites for any file server
//   - server: the HTTP server of a built site
//   - wasmopt: smaller and faster WebAssembly programs
//
// For the tools and for tests:
//
//   - atomicfile: atomic writes
//   - bombs: small files that are large or slow to read, and a budget for readers
//   - browsertest: pages in headless Chromium
//   - mediatest: images and recordings for tests
//   - networktest: networks with random weights, and PyTorch's results for synthetic ones
//   - nodetest: scripts in Node for fuzz targets, and the compiler that checks their types
//   - require: ends a test at an error; finds the shared reference data
//   - solvertest: transport problems, and certificates of their solutions
//   - testsite: the site and the npm packages, built once for all tests
//   - wasmtest: the engine on a test server, and helpers of its tests
package internal
