//go:build !unix

package webdriver

import "os/exec"

func own(*exec.Cmd) {}

// endGroup ends a program; browsers of other systems end what they started themselves.
func endGroup(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }
