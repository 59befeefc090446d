// Package atomicfile writes files all at once or not at all, detects a full disk, and lets
// one process at a time write a folder or a file ([HoldFolder], [HoldFile]). The operating
// system holds that lock, and releases it when the process ends, however it ends.
package atomicfile
