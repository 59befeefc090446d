package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/core"
)

// npm is the folder of the package "deepemd". Pages find it through an import map, bundles through an
// alias.
const npm = "wasm/npm"

// esbuild bundles scripts of the source with the options that all have in common. The name is for
// errors.
func (s *folder) esbuild(name string, o api.BuildOptions) ([]api.OutputFile, error) {
	o.Bundle, o.Target, o.Charset, o.LogLevel = true, api.ES2022, api.CharsetUTF8, api.LogLevelSilent
	o.MinifyWhitespace, o.MinifySyntax, o.MinifyIdentifiers, o.LegalComments = true, true, true, api.LegalCommentsNone
	o.Alias = map[string]string{"deepemd": filepath.Join(s.root, filepath.FromSlash(npm))}
	result := api.Build(o)
	return result.OutputFiles, failures(name, result.Errors)
}

// bundle returns one script with a module and its imports: a module for pages, or a plain script for
// a worker, because some browsers start no module worker from a file and bundlers treat it like any
// other file.
func (s *folder) bundle(entry string, worker bool) (string, error) {
	o := api.BuildOptions{EntryPoints: []string{entry}, Format: api.FormatESModule}
	if worker {
		o.Format = api.FormatIIFE
		o.Banner = map[string]string{"js": workerBanner}
	}
	files, err := s.esbuild(entry, o)
	if err != nil {
		return "", err
	}
	return string(files[0].Contents), nil
}

// workerBanner names the origin of the worker's script, which contains a script of Go.
const workerBanner = "/*! deepemd " + core.Version + " (MIT), with wasm_exec.js of Go (BSD-3-Clause, see wasm_exec.LICENSE.txt) */"

func failures(name string, messages []api.Message) error {
	var all []error
	for _, m := range messages {
		where := name
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d", m.Location.File, m.Location.Line)
		}
		all = append(all, fmt.Errorf("%s: %s", where, m.Text))
	}
	return errors.Join(all...)
}
