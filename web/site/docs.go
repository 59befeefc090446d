package site

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Repository is the address of the source code.
const Repository = "https://github.com/deepemd/deepemd/"

// A document is a page of the documentation and its Markdown source.
type document struct {
	Page   string // in the site's folder docs
	Source string // in the repository
	Name   string // in the menu
	About  string // on the index: one line
}

// guides each describe one task.
var guides = []document{
	{"try.html", "web/docs/try.md", "Try it", "Teach the studio three things with a webcam, see why it answers as it does, and share the result."},
	{"embed.html", "web/docs/embed.md", "Embed it", "Add it to your own page: from npm or a CDN, as an element, in a framework, with your own features, in Node."},
	{"frame.html", "web/docs/frame.md", "Use it in an iframe", "Show a shared page in an iframe, receive its answers and send it images."},
	{"train.html", "web/docs/train.md", "Train a model", "Train on your own images, measure the gain, and use the model in the studio or a page."},
	{"search.html", "web/docs/search.md", "Search a million images", "Index a folder and find similar images, optionally with PostgreSQL or Qdrant as the vector database."},
	{"cluster.html", "web/docs/cluster.md", "Train on a cluster", "Share a run among machines: what they exchange, how to resume, and how far it scales."},
	{"dinov2.html", "web/docs/dinov2.md", "Use DINOv2", "Use a stronger model: a vision transformer, a ResNet or a MobileNet."},
}

// manuals describe one part of the project completely.
var manuals = []document{
	{"package.html", "wasm/npm/README.md", "The package", "The JavaScript package: installation and first steps."},
	{"studio.html", "web/README.md", "The studio", "The features of the page, and the browsers that it supports."},
	{"command.html", "tools/deepemd/README.md", "The command", "Recognize, measure, train, convert and serve."},
	{"file.html", "core/project/FORMAT.md", "The project file", "The format of .deepemd files."},
}

//go:embed *.html.tmpl
var layoutFiles embed.FS

var layouts = template.Must(template.ParseFS(layoutFiles, "*"))

//go:embed docs.css
var sheet []byte

// Documents returns the files of the site's folder docs, by name: the index, a page for each
// guide and manual, the pictures in them and the style sheet. They lead to the reference
// in the folder reference, which is not among them.
//
// The repository is the root of the module.
//
// # Errors
//
// It returns an error if a document or a picture in it cannot be read, or if a link
// leads to no file of the repository.
func Documents(repository fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{"docs.css": sheet}
	s := &documents{repository, files}
	write := func(d document, body template.HTML) (err error) {
		files[d.Page], err = executed("page.html.tmpl", struct {
			document
			Body            template.HTML
			Guides, Manuals []document
		}{d, body, guides, manuals})
		return err
	}
	for _, d := range slices.Concat(guides, manuals) {
		body, err := s.render(d.Source)
		if err != nil {
			return nil, err
		}
		if err := write(d, body); err != nil {
			return nil, err
		}
	}
	return files, write(document{Page: "index.html", Name: "Documentation"}, "")
}

func executed(layout string, data any) ([]byte, error) {
	var page bytes.Buffer
	err := layouts.ExecuteTemplate(&page, layout, data)
	return page.Bytes(), err
}

type documents struct {
	repository fs.FS
	files      map[string][]byte // of the folder docs
}

func (s *documents) render(source string) (template.HTML, error) {
	markdown, err := fs.ReadFile(s.repository, source)
	if err != nil {
		return "", err
	}
	engine := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	tree := engine.Parser().Parse(text.NewReader(markdown))
	err = ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var err error
		switch node := node.(type) {
		case *ast.Link:
			node.Destination, err = s.address(source, node.Destination)
		case *ast.Image:
			node.Destination, err = s.picture(source, node.Destination)
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", source, err)
	}
	var body bytes.Buffer
	err = engine.Renderer().Render(&body, markdown, tree)
	return template.HTML(option.ReplaceAll(body.Bytes(), []byte(`$1<span class="option">$2</span>`))), err
}

// option is the name of an option in code. Browsers would break lines after its hyphens.
var option = regexp.MustCompile(`(<code>|[ (])(--[a-z-]+)`)

// address returns the address in the site for a link in a document.
func (s *documents) address(source string, link []byte) ([]byte, error) {
	target, anchor, _ := strings.Cut(string(link), "#")
	if strings.Contains(target, ":") || target == "" {
		return link, nil // elsewhere, or within the page
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	file := path.Join(path.Dir(source), target)
	info, err := fs.Stat(s.repository, file)
	if err != nil {
		return nil, err
	}
	for _, d := range slices.Concat(guides, manuals) {
		if d.Source == file {
			return []byte(d.Page + anchor), nil
		}
	}
	switch {
	case path.Dir(file) == "wasm/npm" && strings.HasSuffix(file, ".d.ts"): // a module of the reference
		return []byte("reference/modules/" + strings.TrimSuffix(path.Base(file), ".d.ts") + ".html" + anchor), nil
	case path.Base(file) == "index.html" && strings.HasPrefix(file, "web/examples/"):
		return []byte("../" + strings.TrimSuffix(strings.TrimPrefix(file, "web/"), "index.html")), nil
	case info.IsDir():
		return []byte(Repository + "tree/main/" + file), nil
	}
	return []byte(Repository + "blob/main/" + file + anchor), nil
}

// picture adds an image of a document to the site.
func (s *documents) picture(source string, link []byte) ([]byte, error) {
	file := path.Join(path.Dir(source), string(link))
	data, err := fs.ReadFile(s.repository, file)
	if err != nil {
		return nil, err
	}
	name := "pictures/" + path.Base(file)
	if before, ok := s.files[name]; ok && !bytes.Equal(before, data) {
		return nil, fmt.Errorf("%s: another picture has this name: rename one", file)
	}
	s.files[name] = data
	return []byte(name), nil
}
