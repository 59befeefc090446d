package site

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/web/internal/feature"
	"github.com/deepemd/deepemd/web/internal/texts"
)

//go:embed index.html.tmpl
var shellTemplate string

// Shell returns index.html: the studio's own components with nothing loaded yet, in each
// language, so that something useful is painted at once and any file server will do. It is the same for every build of the same code.
func Shell() ([]byte, error) {
	var all []*texts.Texts
	for _, l := range texts.Languages() {
		all = append(all, texts.In(l.Code))
	}
	return page(all)
}

// Texts returns what the studio says, by the codes of the languages, as its program fetches
// it.
func Texts() (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, l := range texts.Languages() {
		var err error
		if all[l.Code], err = texts.Served(languages.Files, l.Code); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// page returns index.html in languages, of which the first is for everybody else.
func page(all []*texts.Texts) ([]byte, error) {
	t, err := template.New("index.html").Parse(shellTemplate)
	if err != nil {
		return nil, err
	}
	var shells []language
	for _, l := range all {
		markup, err := in(l)
		if err != nil {
			return nil, err
		}
		shells = append(shells, language{l.Code, l.Name, l.Boot, markup})
	}
	var page bytes.Buffer
	if err := t.Execute(&page, shells); err != nil {
		return nil, err
	}
	return page.Bytes(), nil
}

// language is the studio as it is before its program runs, in one language.
type language struct {
	Code    string
	Name    string
	Trouble texts.Boot // for where the program does not run
	HTML    template.HTML
}

// in renders the studio in a language.
func in(language *texts.Texts) (template.HTML, error) {
	markup, err := tidy(app.HTMLString(feature.Studio(project.KindImage, language)))
	return template.HTML(markup), err
}
