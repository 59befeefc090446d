// Package shell renders the page as it is before its program runs: the studio's
// own components with nothing loaded yet. The build writes it as index.html, so
// that something useful is painted at once and any file server will do.
package shell

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"deepemd/web/studio/session"
	"deepemd/web/studio/view"
)

//go:embed index.html.tmpl
var document string

// Page returns index.html. It is the same for every build of the same code.
func Page() ([]byte, error) {
	t, err := template.New("index.html").Parse(document)
	if err != nil {
		return nil, err
	}
	studio := tidy(app.HTMLString(&view.Studio{Session: session.New()}))
	var page bytes.Buffer
	if err := t.Execute(&page, template.HTML(studio)); err != nil {
		return nil, err
	}
	return page.Bytes(), nil
}
