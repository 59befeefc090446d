// Package faults ends the command at any moment, fills its disk and moves its clock, in
// tests: what it had written stays whole, nothing remains of what it had begun, and the
// same command goes on to the same end. `go test` tries each fault a few times;
// DEEPEMD_FAULTS says how often: make faults. The page's faults are in web/internal/tests/keep, what
// holds for a long time in web/internal/tests/browsers and here.
package faults
