//go:build !js

package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// OpenDialog does nothing outside a browser.
func OpenDialog(string) {}

// CloseDialog does nothing outside a browser.
func CloseDialog(string) {}

// InClosedDialog is false outside a browser.
func InClosedDialog(app.Value) bool { return false }

// WhenOpened does nothing outside a browser.
func WhenOpened(app.Value, func()) (cancel func()) { return func() {} }
