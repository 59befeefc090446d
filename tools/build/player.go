package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// player writes share/player.html, the page for shared projects: internal/publish in one file,
// complete except for {{title}} and {{parts}}, which web/static/web/share.js fills in.
func (s *folder) player() error {
	page, err := s.inline(filepath.Join(s.root, "internal", "publish", "page.html"))
	if err != nil {
		return err
	}
	return s.write("share/player.html", page)
}

// inline returns a page with its style sheets and scripts, because a page in a file cannot load any:
// a sheet replaces its link, a bundle the address of a script. Scripts that are not modules are for
// workers.
func (s *folder) inline(path string) ([]byte, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	tokens := html.NewTokenizer(bytes.NewReader(source))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if err := tokens.Err(); err != io.EOF {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return page.Bytes(), nil
		}
		raw := bytes.Clone(tokens.Raw())
		token := tokens.Token()
		switch {
		case kind == html.StartTagToken && token.DataAtom == atom.Link && attribute(token, "rel") == "stylesheet":
			sheet, err := s.sheet(adjacent(path, attribute(token, "href")))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&page, "<style>%s</style>", sheet)
		case kind == html.StartTagToken && token.DataAtom == atom.Script && attribute(token, "src") != "":
			script, err := s.bundle(adjacent(path, attribute(token, "src")), attribute(token, "type") != "module")
			if err != nil {
				return nil, err
			}
			token.Attr = slices.DeleteFunc(token.Attr, func(a html.Attribute) bool { return a.Key == "src" })
			page.WriteString(token.String())
			page.WriteString(strings.TrimSpace(script))
		default:
			page.Write(raw)
		}
	}
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

// attribute returns the value of a tag's attribute, or "".
func attribute(tag html.Token, key string) string {
	for _, a := range tag.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// adjacent returns the path of a file that a page names by a relative address.
func adjacent(page, address string) string {
	return filepath.Join(filepath.Dir(page), filepath.FromSlash(address))
}
