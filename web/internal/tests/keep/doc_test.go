// Package keep tests the studio's saved data: projects, their files, undo, restarts after a crash,
// full storage, offline use, and that nothing leaves the device.
package keep
