//go:build !js

package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// FoundIn finds nothing outside a browser.
func FoundIn(app.Value, func([]session.Entry, error)) {}

// BringsFolder finds nothing outside a browser.
func BringsFolder(app.Value) bool { return false }

// IsTaken is true outside a browser: nothing is dropped there.
func IsTaken(app.Value) bool { return true }

// TakesFolders is true outside a browser.
func TakesFolders() bool { return true }
