package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkStart checks that the package's script that starts Go programs is from the toolchain that
// builds them.
func checkStart(root string) error {
	goroot, err := output(root, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	of := filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")
	theirs, err := os.ReadFile(of)
	if err != nil {
		return err
	}
	ours, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(npm), "wasm_exec.js"))
	if err != nil {
		return err
	}
	if !bytes.Equal(ours, theirs) {
		return fmt.Errorf("%s/wasm_exec.js is of another toolchain than builds the engine: build with the one in go.mod, or copy %s there", npm, of)
	}
	return nil
}

// output returns the output of a program with further variables in its environment, trimmed.
func output(dir string, environment []string, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}
