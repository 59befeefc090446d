package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/wasm/fuse"
	"github.com/deepemd/deepemd/wasm/jumps"
	"github.com/deepemd/deepemd/wasm/shrink"
)

// program is a Go program that the build compiles to WebAssembly.
type program struct {
	file   string // its name in its folder
	pkg    string
	system string                       // GOOS: what the program takes the place that it runs in for
	flags  []string                     // of go build
	change func([]byte) ([]byte, error) // what the built module is changed by; nil for nothing
}

// kitPrograms are those of package deepemd.
var kitPrograms = []program{
	{"deepemd.wasm", "./wasm/engine", "js", nil, fuse.Kernels},
	{"deepemd-sound.wasm", "./wasm/engine", "js", []string{"-tags=sound"}, fuse.Kernels},
	{"deepemd-gallery.wasm", "./wasm/gallery", "wasip1", []string{"-buildmode=c-shared"}, nil},
	{"deepemd-solver.wasm", "./wasm/solver", "wasip1", []string{"-buildmode=c-shared"}, nil},
}

// studioProgram is the studio, whose go-app is the one of the module file.
func studioProgram(modfile string) program {
	return program{"app.wasm", "./web/studio", "js", []string{"-modfile=" + modfile}, nil}
}

// goBuild compiles a program into a file of the folder, with straight jumps, and without what
// only traces need but where lines are kept. The compiler works beside the folder, so that a file of it
// changes only when its content does.
func (s *folder) goBuild(p program, name string) error {
	fresh := s.work(p.file)
	if err := p.compile(s.root, fresh, withoutSymbols); err != nil {
		return err
	}
	module, err := os.ReadFile(fresh)
	if err == nil && !s.lines {
		module, err = shrink.Shrink(module)
	}
	if err == nil {
		module, err = jumps.Straighten(module)
	}
	if err == nil && p.change != nil {
		module, err = p.change(module)
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
