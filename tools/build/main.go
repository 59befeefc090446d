// Command build builds the site: the engine and the studio as WebAssembly, and all other files, in
// one folder for any file server.
//
//	go run ./tools/build            # into build/site
//	go run ./tools/build -release   # the same with the highest compression
//	go run ./tools/build -sizes     # the same, then print the sizes of downloads
//	go run ./tools/build -lines     # line numbers in traces of programs, which adds a fifth to them
//	go run ./tools/build -npm       # the packages for npm, into build/npm, instead of a site
//	go run ./tools/build -licenses  # NOTICE and the folder licenses, instead of a site (make licenses)
//
// Files that are up to date stay unchanged. The layout:
//
//	/                  the studio's page, and the files of web/static
//	/deepemd/          package deepemd: modules, types, the worker, the engines
//	/weights/          the default networks, of core/network
//	/examples/         pages that use deepemd.js
//	/docs/             guides, manuals, and the reference if make docs has built it
//	/web/app.wasm      the studio
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", strings.TrimSpace(err.Error()))
		os.Exit(1)
	}
}

func run() error {
	out := flag.String("out", "", "folder to build into (default build/site of the module, or build/npm)")
	compress := flag.Bool("compress", true, "write .gz and .br beside what shrinks")
	release := flag.Bool("release", false, "compress as far as possible, which takes eight times as long")
	sizes := flag.Bool("sizes", false, "print the size of every file, raw, gzip and brotli")
	npm := flag.Bool("npm", false, "write the folders that npm publishes instead of a site, and compress nothing")
	licenses := flag.Bool("licenses", false, "write NOTICE and the folder licenses instead of a site")
	lines := flag.Bool("lines", false, "keep the line numbers of traces in the programs")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: this command takes flags only", flag.Arg(0))
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if *out == "" {
		*out = filepath.Join(root, "build", "site")
		if *npm {
			*out = filepath.Join(root, "build", "npm")
		}
	}
	if *out, err = filepath.Abs(*out); err != nil {
		return err
	}
	s := &folder{root: root, out: *out, lines: *lines}
	switch {
	case *licenses:
		return s.licenses()
	case *npm:
		return s.packages()
	}
	if err := s.site(); err != nil {
		return err
	}
	if *compress || *release || *sizes {
		if err := compressAll(s.out, runtime.GOMAXPROCS(0), *release); err != nil {
			return err
		}
	}
	if *sizes {
		return printSizes(os.Stdout, s.out)
	}
	return nil
}

// moduleRoot returns the folder of the module in the working folder.
func moduleRoot() (string, error) {
	mod, err := output("", nil, "go", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	if mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("no go.mod here: run this command inside the checkout")
	}
	return filepath.Dir(mod), nil
}
