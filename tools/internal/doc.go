// Package internal describes the folder tools: commands, and checks of the whole project. It has no
// code.
//
//   - deepemd: the project's command
//   - build: the site, from the sources of web and wasm
//   - docs: settings of the JavaScript reference
//   - bench: speed, compared with other software
//   - languages: the texts of shared pages and of the element, as scripts
//   - layering: the import rules
//   - internal/release: properties of a release: one version, a small download, an example that runs elsewhere
//
// The folders axe, packages and peers list the npm packages and Python scripts of tests and
// benchmarks.
package internal
