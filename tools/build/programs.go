package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/internal/wasmopt"
)

// program is a Go program that the build compiles to WebAssembly.
type program struct {
	file    string // its name in its folder
	pkg     string
	system  string   // GOOS: what the program takes the place that it runs in for
	flags   []string // of go build
	kernels bool     // it computes products of internal/kernel
}

// kitPrograms are those of package deepemd.
var kitPrograms = []program{
	{"deepemd.wasm", "./wasm/engine", "js", nil, true},
	{"deepemd-sound.wasm", "./wasm/engine", "js", []string{"-tags=sound"}, true},
	{"deepemd-gallery.wasm", "./wasm/gallery", "wasip1", []string{"-buildmode=c-shared"}, false},
	{"deepemd-solver.wasm", "./wasm/solver", "wasip1", []string{"-buildmode=c-shared"}, false},
}

// studioProgram is the studio, whose go-app is the one of the module file.
func studioProgram(modfile string) program {
	return program{"app.wasm", "./web/studio", "js", []string{"-modfile=" + modfile}, false}
}

// goBuild compiles a program, and writes it optimized into a file of the folder. The compiler
// works outside the folder, so that a file in it changes only when its content does.
func (s *folder) goBuild(p program, name string) error {
	fresh := s.work(p.file)
	if err := p.compile(s.root, fresh, withoutSymbols); err != nil {
		return err
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

// work is where something lies that is needed for building only: beside the folder.
func (s *folder) work(name string) string {
	return filepath.Join(filepath.Dir(s.out), "."+filepath.Base(s.out)+".wasm", name)
}
