//go:build unix

package webdriver

import (
	"os/exec"
	"syscall"
)

// own has a program begin a group of processes, which is ended as one.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks all processes of a program to end, or ends them.
func endGroup(cmd *exec.Cmd, now bool) {
	signal := syscall.SIGTERM
	if now {
		signal = syscall.SIGKILL
	}
	// Where all have ended there is nobody to tell.
	_ = syscall.Kill(-cmd.Process.Pid, signal)
}
