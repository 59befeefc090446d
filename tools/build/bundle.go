package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/core"
)

// npm is the package that pages import as "deepemd": by an import map where a server
// gives it out, by alias here.
const npm = "wasm/npm"

// resolve says how modules of the source are found.
func (s *folder) resolve(o api.BuildOptions) api.BuildOptions {
	o.Bundle = true
	o.Alias = map[string]string{"deepemd": filepath.Join(s.root, filepath.FromSlash(npm))}
	o.LogLevel = api.LogLevelSilent
	return o
}

// bundle makes one script of a module and what it imports: a module for pages, a
// plain script for a worker, as some browsers start no other from a file, and bundlers
// take it for a file like any other.
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

// workerBanner names what is in the worker's script: part of it is Go's.
const workerBanner = "/*! deepemd " + core.Version + " (MIT), with wasm_exec.js of Go (BSD-3-Clause, see wasm_exec.LICENSE.txt) */"

// failures joins what esbuild complains about.
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
