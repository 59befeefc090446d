package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// npm is the package that pages import as "deepemd": by an import map where a server
// gives it out, by alias here.
const npm = "wasm/npm"

// resolve says how modules of the source are found.
func (s *site) resolve(o api.BuildOptions) api.BuildOptions {
	o.Bundle = true
	o.Alias = map[string]string{"deepemd": filepath.Join(s.root, filepath.FromSlash(npm))}
	o.LogLevel = api.LogLevelSilent
	return o
}

// bundle makes one script of a module and what it imports: a module for pages, a
// plain script for a worker, as some browsers start no other from a file.
func (s *site) bundle(entry string, worker bool) (string, error) {
	o := api.BuildOptions{
		EntryPoints: []string{entry}, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LegalComments: api.LegalCommentsNone,
	}
	if worker {
		o.Format = api.FormatIIFE
		o.Define = map[string]string{"import.meta.url": "self.location.href"}
	}
	result := api.Build(s.resolve(o))
	if err := failures(entry, result.Errors); err != nil {
		return "", err
	}
	return strings.TrimSpace(string(result.OutputFiles[0].Contents)), nil
}

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
