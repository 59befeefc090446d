package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/internal/wasmopt"
)

// program is a Go program to compile to WebAssembly.
type program struct {
	file    string // name in its folder
	pkg     string
	system  string   // GOOS
	flags   []string // of go build
	kernels bool     // uses the kernels of internal/kernel
}

// kitPrograms are the programs of package deepemd.
var kitPrograms = []program{
	{"deepemd.wasm", "./wasm/engine", "js", nil, true},
	{"deepemd-sound.wasm", "./wasm/engine", "js", []string{"-tags=sound"}, true},
	{"deepemd-gallery.wasm", "./wasm/gallery", "wasip1", []string{"-buildmode=c-shared"}, false},
	{"deepemd-solver.wasm", "./wasm/solver", "wasip1", []string{"-buildmode=c-shared"}, false},
}

// studioProgram returns the studio, with the go-app of the module file.
func studioProgram(modfile string) program {
	return program{"app.wasm", "./web/studio", "js", []string{"-modfile=" + modfile}, false}
}

// environment returns the variables of the go command for the program. They always enable the SIMD
// experiment: the engine works without it, but several times slower. The older encoding/json is a
// sixth of the code.
func (p program) environment() []string {
	return []string{"GOOS=" + p.system, "GOARCH=wasm", "GOEXPERIMENT=simd,nojsonv2"}
}

// goBuild compiles and optimizes a program, without the data for debuggers, and writes it into a file of
// the folder. The compiler writes elsewhere, so that the file changes only with its content: it contains
// neither the folder nor the commit, and browsers need not load the same code again.
func (s *folder) goBuild(p program, name string) error {
	fresh := s.tempPath(p.file)
	flags := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", fresh}, p.flags...)
	if _, err := output(s.root, p.environment(), "go", append(flags, p.pkg)...); err != nil {
		return fmt.Errorf("%s does not compile for the browser: %w", p.pkg, err)
	}
	module, err := os.ReadFile(fresh)
	if err == nil {
		module, err = wasmopt.Optimize(module, wasmopt.Options{Lines: s.lines, Kernels: p.kernels})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.write(name, module)
}

// tempPath returns the path of a temporary file of the build, outside the folder.
func (s *folder) tempPath(name string) string {
	return filepath.Join(filepath.Dir(s.out), "."+filepath.Base(s.out)+".wasm", name)
}
