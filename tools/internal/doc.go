// Package internal is the room of the commands and of the checks that no other room can make,
// the folder tools. It holds no code itself.
//
//   - deepemd: the project's one command
//   - build: the site, from the source of web and wasm
//   - bench: speed, beside other software
//   - languages: the words of shared pages and of the element, as scripts
//   - layering: who may import whom
//   - protocol: what follows from the declaration of the engine's protocol
//   - internal/release: what a release keeps: one version, a small download, an
//     example that runs elsewhere
//
// The folders axe, packages and peers list the npm packages and Python scripts that
// tests and benchmarks use.
package internal
