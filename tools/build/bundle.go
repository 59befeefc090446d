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

// resolve adds the options that find the modules of the source.
func (s *folder) resolve(o api.BuildOptions) api.BuildOptions {
	o.Bundle = true
	o.Alias = map[string]string{"deepemd": filepath.Join(s.root, filepath.FromSlash(npm))}
	o.LogLevel = api.LogLevelSilent
	return o
}

// bundle returns one script with a module and its imports: a module for pages, or a plain script for
// a worker, because some browsers start no module worker from a file and bundlers treat it like any
// other file.
func (s *folder) bundle(entry string, worker bool) (string, error) {
	o := api.BuildOptions{
		EntryPoints: []string{entry}, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LegalComments: api.LegalCommentsNone,
	}
	if worker {
		o.Format = api.FormatIIFE
		o.Banner = map[string]string{"js": workerBanner}
	}
	result := api.Build(s.resolve(o))
	if err := failures(entry, result.Errors); err != nil {
		return "", err
	}
	return string(result.OutputFiles[0].Contents), nil
}

// workerBanner names the origin of the worker's script, which contains a script of Go.
const workerBanner = "/*! deepemd " + core.Version + " (MIT), with wasm_exec.js of Go (BSD-3-Clause, see wasm_exec.LICENSE.txt) */"

// failures joins the errors of esbuild.
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
