//go:build unix

package browsertest

import (
	"os/exec"
	"syscall"
)

// newGroup makes a program the leader of a process group.
func newGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup terminates all processes of a program, or kills them.
func endGroup(cmd *exec.Cmd, now bool) {
	signal := syscall.SIGTERM
	if now {
		signal = syscall.SIGKILL
	}
	// There is no error handling: all may have ended.
	_ = syscall.Kill(-cmd.Process.Pid, signal)
}
