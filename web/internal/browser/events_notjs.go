//go:build !js

package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// ChosenFiles returns none outside a browser.
func ChosenFiles(app.Value) []session.File { return nil }

// DroppedFiles returns none outside a browser.
func DroppedFiles(app.Value) []session.File { return nil }

// HoldPointer does nothing outside a browser.
func HoldPointer(_, _ app.Value) {}

// SetFill does nothing outside a browser.
func SetFill(app.Value, float64) {}

// FillBars does nothing outside a browser.
func FillBars(app.Value, string) {}

// Focus does nothing outside a browser.
func Focus(string) {}
