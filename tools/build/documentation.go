package main

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/web/site"
)

// reference is the folder in which make docs writes the reference of the JavaScript package.
const reference = "build/docs/reference"

// noReference replaces a reference that was not built.
const noReference = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference · DeepEMD</title>
<link rel="icon" href="../../web/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../../examples/page.css">
<a class="back" href="../">← Documentation</a>
<h1>Reference</h1>
<p class="lead">This site was built without the reference, which <code>make docs</code> makes where npm is installed. Its source is here:</p>
<ul>
<li><a href="../../deepemd/deepemd.d.ts">deepemd.d.ts</a>, the engine</li>
<li><a href="../../deepemd/element.d.ts">element.d.ts</a>, the element</li>
<li><a href="../../deepemd/project.d.ts">project.d.ts</a>, projects in files</li>
<li><a href="../../deepemd/protocol.d.ts">protocol.d.ts</a>, methods and answers</li>
</ul>
</html>
`

// documentation writes the folders docs and lessons of the site.
func (s *folder) documentation() error {
	for to, made := range map[string]func(fs.FS) (map[string][]byte, error){"docs/": site.Documents, "lessons/": site.Notes} {
		pages, err := made(os.DirFS(s.root))
		if err != nil {
			return err
		}
		for name, page := range pages {
			if err := s.write(to+name, page); err != nil {
				return err
			}
		}
	}
	if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(reference))); err == nil {
		return s.copyTree(reference, "docs/reference")
	}
	return s.write("docs/reference/index.html", []byte(noReference))
}
