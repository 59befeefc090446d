// Package internal is the room of packages that several rooms share, most of them for tests; it holds
// no code itself.
//
//   - atomicfile: files written all at once or not at all
//   - bombs: small files that are large or slow to read, and a budget for readers
//   - browsertest: pages in headless Chromium
//   - golden: reference data beside the checkout
//   - networktest: what PyTorch computes of networks with made-up weights
//   - nodetest: scripts asked in Node, for fuzz targets
//   - resnettest: networks with random weights
//   - testsite: the site and the npm packages, built once for all tests
//   - typescript: the compiler that types are held against
//   - wasmtest: the engine, served, and what its tests share
package internal
