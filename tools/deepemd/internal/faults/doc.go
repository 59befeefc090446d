// Package faults tests the command under faults: full disks, kills, corrupt clocks, low memory, and
// long runs.
package faults
