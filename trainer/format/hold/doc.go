// Package hold lets one process at a time write into a folder, or make a file: two
// training runs in one folder would mix their logs and checkpoints. The system holds
// the lock and releases it when the process ends, however it ends. What processes
// write there is their own business; see package artifact.
package hold
