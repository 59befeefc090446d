// Package keep tests what the studio keeps: projects, their files and shared pages,
// what is undone, what comes back after a crash, many examples.
package keep
