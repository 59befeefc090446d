// Command build makes the site that deepemd is: the engine and the studio as
// WebAssembly, and everything that is served beside them, in one folder that
// any file server can give out.
//
//	go run ./tools/build            # into build/site
//	go run ./tools/build -release   # the same, compressed as far as possible
//	go run ./tools/build -sizes     # the same, then what travels over the wire
//	go run ./tools/build -lines     # programs whose traces have line numbers, and a fifth more bytes
//	go run ./tools/build -npm       # instead of a site the packages for npm, into build/npm
//	go run ./tools/build -licenses  # instead of a site NOTICE and the folder licenses (make licenses)
//
// What is up to date is left alone. The layout:
//
//	/                  the studio's page, and what web/static holds
//	/deepemd/          package deepemd: modules, types, the worker, the engines
//	/weights/          the default networks, of core/network
//	/examples/         pages that use deepemd.js
//	/docs/             guides, manuals, and the reference where make docs has made it
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
	out := flag.String("out", "", "folder to build into (default build/site of the module, or build/npm)")
	compress := flag.Bool("compress", true, "write .gz and .br beside what shrinks")
	release := flag.Bool("release", false, "compress as far as possible, which takes eight times as long")
	sizes := flag.Bool("sizes", false, "print the size of every file, raw, gzip and brotli")
	npm := flag.Bool("npm", false, "write the folders that npm publishes instead of a site, and compress nothing")
	licenses := flag.Bool("licenses", false, "write NOTICE and the folder licenses instead of a site")
	lines := flag.Bool("lines", false, "keep the line numbers of traces in the programs")
	flag.Parse()
	if flag.NArg() > 0 {
		fail(fmt.Errorf("unexpected argument %q: this command takes flags only", flag.Arg(0)))
	}
	root, err := moduleRoot()
	if err != nil {
		fail(err)
	}
	if *out == "" {
		*out = filepath.Join(root, "build", "site")
		if *npm {
			*out = filepath.Join(root, "build", "npm")
		}
	}
	if *out, err = filepath.Abs(*out); err != nil {
		fail(err)
	}
	s := &folder{root: root, out: *out, lines: *lines}
	if *npm || *licenses {
		write := s.packages
		if *licenses {
			write = s.licenses
		}
		if err := write(); err != nil {
			fail(err)
		}
		return
	}
	if err := s.site(); err != nil {
		fail(err)
	}
	if *compress || *release || *sizes {
		if err := compressAll(s.out, runtime.GOMAXPROCS(0), *release); err != nil {
			fail(err)
		}
	}
	if *sizes {
		if err := printSizes(os.Stdout, s.out); err != nil {
			fail(err)
		}
	}
}

// moduleRoot is the folder of the module that the command runs in.
func moduleRoot() (string, error) {
	mod, err := goOutput("", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	if mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("no go.mod here: run this command inside the checkout")
	}
	return filepath.Dir(mod), nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "build:", strings.TrimSpace(err.Error()))
	os.Exit(1)
}
