package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/web/styles"
)

// player writes the page that projects are shared as, share/player.html: complete
// but for the parts that the studio puts in, {{title}} and {{parts}}. Its scripts are
// bundled, as a page in a file cannot import any; the worker's is a text in the
// page's.
func (s *site) player() error {
	worker, err := s.bundle(filepath.Join(s.out, "deepemd", "worker.js"), map[string]string{"import.meta.url": "self.location.href"})
	if err != nil {
		return err
	}
	text, err := json.Marshal(worker)
	if err != nil {
		return err
	}
	script, err := s.bundle(filepath.Join(s.root, "web", "player", "player.js"), map[string]string{
		"import.meta.url": "document.baseURI", "__WORKER__": string(text),
	})
	if err != nil {
		return err
	}
	tokens, err := styles.Sheets("tokens.css", "base.css")
	if err != nil {
		return err
	}
	read := func(name string) (string, error) {
		data, err := os.ReadFile(filepath.Join(s.root, "web", "player", name))
		return string(data), err
	}
	own, err := read("player.css")
	if err != nil {
		return err
	}
	page, err := read("page.html")
	if err != nil {
		return err
	}
	style := api.Transform(string(tokens)+own, api.TransformOptions{Loader: api.LoaderCSS, MinifyWhitespace: true})
	if err := failures("player.css", style.Errors); err != nil {
		return err
	}
	page = strings.NewReplacer("{{style}}", string(style.Code), "{{script}}", script).Replace(page)
	return replace(filepath.Join(s.out, "share", "player.html"), []byte(page))
}

// bundle makes one script of a module and what it imports.
func (s *site) bundle(entry string, define map[string]string) (string, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true, LegalComments: api.LegalCommentsNone,
		Define: define, LogLevel: api.LogLevelSilent,
	})
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
