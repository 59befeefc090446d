package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goWasm compiles a package for the browser. The SIMD experiment is always on:
// without it the engine would work, and be several times slower.
func goWasm(dir, pkg, out string, flags ...string) error {
	// Neither the folder nor the commit is in what comes out: the same code is the same
	// file, which browsers that have it need not load again.
	cmd := exec.Command("go", append(append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w"}, flags...), "-o", out, pkg)...)
	cmd.Dir = dir
	// The older encoding/json does the same in a sixth of the code.
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=simd,nojsonv2")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s does not compile for the browser (%w):\n%s", pkg, err, text)
	}
	return nil
}

// checkStart makes sure that the script that starts Go programs, which lies among the
// package's, is of the toolchain that builds them.
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

// goOutput runs the go command and returns what it prints, trimmed.
func goOutput(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}
