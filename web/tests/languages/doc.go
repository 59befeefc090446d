// Package languages tests what people read: studio, shared page and element in every
// language that there is a file of, and names of all kinds in all of them.
package languages
