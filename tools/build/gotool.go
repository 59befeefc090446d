package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compile compiles the program into a file, without the data for debuggers. It always enables the SIMD
// experiment: the engine works without it, but several times slower.
func (p program) compile(dir, out string) error {
	// The file contains neither the folder nor the commit. The same code gives the same file, which
	// browsers need not load again.
	flags := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}, p.flags...)
	if _, err := output(dir, p.environment(), "go", append(flags, p.pkg)...); err != nil {
		return fmt.Errorf("%s does not compile for the browser: %w", p.pkg, err)
	}
	return nil
}

// environment returns the variables of the go command for the program.
func (p program) environment() []string {
	// The older encoding/json is a sixth of the code.
	return []string{"GOOS=" + p.system, "GOARCH=wasm", "GOEXPERIMENT=simd,nojsonv2"}
}

// checkStart checks that the package's script that starts Go programs is from the toolchain that
// builds them.
func checkStart(root string) error {
	goroot, err := goOutput(root, "env", "GOROOT")
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

// goOutput returns the output of the go command, trimmed.
func goOutput(dir string, args ...string) (string, error) {
	return output(dir, nil, "go", args...)
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
