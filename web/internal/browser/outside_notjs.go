//go:build !js

package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// ConnectEngine does nothing outside a browser.
func ConnectEngine(*session.Session) {}

// ConnectKeys does nothing outside a browser.
func ConnectKeys(*session.Session) {}

// ConnectStore does nothing outside a browser.
func ConnectStore(*session.Session) {}

// RetryEngine does nothing outside a browser.
func RetryEngine(*session.Session) {}

// ConnectCamera does nothing outside a browser.
func ConnectCamera(*session.Session) {}

// DrawExample does nothing outside a browser.
func DrawExample(app.Value, string) {}

// DrawFile does nothing outside a browser.
func DrawFile(app.Value, any) {}

// ChosenFiles returns none outside a browser.
func ChosenFiles(app.Value) []session.File { return nil }

// DroppedFiles returns none outside a browser.
func DroppedFiles(app.Value) []session.File { return nil }

// HoldPointer does nothing outside a browser.
func HoldPointer(_, _ app.Value) {}

// SetFill does nothing outside a browser.
func SetFill(app.Value, float64) {}

// FoundIn finds nothing outside a browser.
func FoundIn(app.Value, func([]session.Entry, error)) {}

// Focus does nothing outside a browser.
func Focus(string) {}

// Language is what was chosen with texts.Use outside a browser.
func Language() *texts.Texts { return texts.Current() }

// SetLanguage does nothing outside a browser.
func SetLanguage(string) {}

// Theme is the system's outside a browser.
func Theme() string { return ThemeSystem }

// SetTheme does nothing outside a browser.
func SetTheme(string) {}

// OpenDialog does nothing outside a browser.
func OpenDialog(string) {}

// CloseDialog does nothing outside a browser.
func CloseDialog(string) {}

// ConnectDevice does nothing outside a browser.
func ConnectDevice(*session.Session) {}

// Install does nothing outside a browser.
func Install() {}

// Reload does nothing outside a browser.
func Reload() {}

// ShowDemo does nothing outside a browser.
func ShowDemo(*session.Session) {}

// GuideRead does nothing outside a browser.
func GuideRead() {}

// HideGuide does nothing outside a browser.
func HideGuide() {}

// ConnectMicrophone does nothing outside a browser.
func ConnectMicrophone(*session.Session) {}

// Threshold is the default outside a browser.
func Threshold() float64 { return DefaultThreshold }

// SetThreshold does nothing outside a browser.
func SetThreshold(float64) {}

// PlayExample does nothing outside a browser.
func PlayExample(string) {}

// Hears is false outside a browser: the shell is that of pictures.
func Hears() bool { return false }

// SwitchKind does nothing outside a browser.
func SwitchKind(bool) {}

// PlayFile does nothing outside a browser.
func PlayFile(app.Value, any) {}
