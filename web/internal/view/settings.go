package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// SettingsID is the id of the dialog of settings.
const SettingsID = "settings"

// drawSettings shows the dialog with the groups of settings.
func (s *Studio) drawSettings() app.UI {
	t := &s.Kernel.Texts().Settings
	var languages []ui.Option // each in its own language
	for _, l := range browser.Languages() {
		languages = append(languages, ui.Option{Value: l.Code, Text: l.Name})
	}
	return ui.Dialog(SettingsID, "", t.Title, t.Close, append([]app.UI{
		ui.Choice("theme", t.Theme, browser.Theme(), []ui.Option{
			{Value: browser.ThemeSystem, Text: t.System}, {Value: browser.ThemeLight, Text: t.Light}, {Value: browser.ThemeDark, Text: t.Dark},
		}, browser.SetTheme),
		ui.Choice("language", t.Language, s.Kernel.Texts().Code, languages, s.chooseLanguage),
		s.setup(),
	}, s.Page.At(ui.Groups)...)...)
}

func openSettings(ctx app.Context, _ app.Event) { ui.OpenDialog(ctx, SettingsID) }

func (s *Studio) chooseLanguage(code string) { browser.SetLanguage(code, s.Kernel.SetLanguage) }
