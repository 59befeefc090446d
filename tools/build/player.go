package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// loads matches the style sheets and the scripts that a page of ours loads.
var loads = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">|(<script type="([^"]+)"[^>]*) src="([^"]+)">`)

// inline returns a page with its style sheets and scripts, because a page in a file cannot load any:
// a sheet replaces its link, a bundle the address of a script. Scripts that are not modules are for
// workers.
func (s *folder) inline(path string) ([]byte, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	adjacent := func(address []byte) string {
		return filepath.Join(filepath.Dir(path), filepath.FromSlash(string(address)))
	}
	page := loads.ReplaceAllFunc(source, func(tag []byte) []byte {
		found := loads.FindSubmatch(tag)
		if found[1] != nil {
			sheet, wrong := s.sheet(adjacent(found[1]))
			err = errors.Join(err, wrong)
			return fmt.Appendf(nil, "<style>%s</style>", sheet)
		}
		script, wrong := s.bundle(adjacent(found[4]), string(found[3]) != "module")
		err = errors.Join(err, wrong)
		return fmt.Appendf(nil, "%s>%s", found[2], strings.TrimSpace(script))
	})
	return page, err
}

// sheet returns a style sheet, minified.
func (s *folder) sheet(path string) (string, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	style := api.Transform(string(source), api.TransformOptions{Loader: api.LoaderCSS, MinifyWhitespace: true})
	return strings.TrimSpace(string(style.Code)), failures(path, style.Errors)
}
