// Package page tests package deepemd in a page: calls, options and errors of the engine,
// which runs in a worker, and of the solver.
package page
