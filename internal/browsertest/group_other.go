//go:build !unix

package browsertest

import "os/exec"

func newGroup(*exec.Cmd) {}

// endGroup ends a program. On other systems, browsers end their own child processes.
func endGroup(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }
