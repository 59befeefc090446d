// Package project is the manifest of a project: what was taught, and how things are told
// apart, as the file of a project says it in JSON. FORMAT.md beside this file describes
// the whole file for other programs; package archive reads and writes it.
//
// The studio uses the manifest's types from here, and reads and writes files with
// wasm/npm/project.js.
package project
