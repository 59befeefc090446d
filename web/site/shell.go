package site

import (
	"html/template"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/web/internal/feature"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Shell returns index.html: the studio's components without data, in each language, so that the
// first paint is useful and any file server can serve it. The same code gives the same file.
func Shell() ([]byte, error) {
	var all []*texts.Texts
	for _, l := range texts.Languages() {
		all = append(all, texts.In(l.Code))
	}
	return page(all)
}

// Texts returns the files with the studio's texts, one for each language, encoded for its program. A
// browser loads only one.
func Texts() (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, l := range texts.Languages() {
		var err error
		if all[l.Code+".txt"], err = texts.Served(languages.Files, l.Code); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// page returns index.html in the languages, with the fallback first.
func page(all []*texts.Texts) ([]byte, error) {
	var shells []language
	for _, l := range all {
		markup, err := tidy(app.HTMLString(feature.Studio(project.KindImage, l)))
		if err != nil {
			return nil, err
		}
		shells = append(shells, language{l.Code, l.Name, l.Boot, template.HTML(markup)})
	}
	return executed("index.html.tmpl", shells)
}

// language is the page in one language, before its program runs.
type language struct {
	Code    string
	Name    string
	Trouble any // texts for where the program does not run
	HTML    template.HTML
}
