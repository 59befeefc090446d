// Package atomicfile writes files all at once or not at all, and detects a full disk.
package atomicfile
