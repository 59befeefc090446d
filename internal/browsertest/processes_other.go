//go:build !linux

package browsertest

import "context"

// processes says what the processes of the page's browser do, where the system tells.
func processes(context.Context) string { return "its processes are not known" }
