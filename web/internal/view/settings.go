package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// SettingsID is the id of the dialog of settings.
const SettingsID = "settings"

// Settings is the dialog of settings.
type Settings struct {
	app.Compo
	watching
	Page *ui.Page
}

// Render shows the groups of settings.
func (s *Settings) Render() app.UI {
	t := &s.Kernel.Texts().Settings
	return ui.Dialog(SettingsID, "", t.Title, t.Close, append([]app.UI{
		ui.Choice("theme", t.Theme, browser.Theme(), []ui.Option{
			{Value: browser.ThemeSystem, Text: t.System}, {Value: browser.ThemeLight, Text: t.Light}, {Value: browser.ThemeDark, Text: t.Dark},
		}, browser.SetTheme),
		ui.Choice("language", t.Language, s.Kernel.Texts().Code, languages(), s.chooseLanguage),
		&Setup{watching: ui.Watches(s.Kernel, s.Kernel.Setup, s.Kernel.Project, s.Kernel.Classes, s.Kernel.Engine), Page: s.Page},
	}, s.Page.At(ui.Groups)...)...)
}

// languages returns the choices of language, each in its own language.
func languages() []ui.Option {
	var options []ui.Option
	for _, l := range browser.Languages() {
		options = append(options, ui.Option{Value: l.Code, Text: l.Name})
	}
	return options
}

func (s *Settings) chooseLanguage(code string) { browser.SetLanguage(code, s.Kernel.SetLanguage) }
