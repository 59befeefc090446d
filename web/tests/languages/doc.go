// Package languages tests what people read: studio, shared page and element in every
// language that has a file, and names of all kinds in all of them.
package languages
