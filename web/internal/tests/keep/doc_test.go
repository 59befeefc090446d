// Package keep tests the data that the studio keeps: projects, their files, undo, restarts
// after a crash, full storage, use without a network, and that nothing leaves the device.
package keep
