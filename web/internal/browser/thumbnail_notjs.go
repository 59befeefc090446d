//go:build !js

package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// ShowExample does nothing outside a browser.
func ShowExample(app.Value, string) {}

// ExampleAt returns "" outside a browser.
func ExampleAt(app.Value) string { return "" }

// Columns returns 1 outside a browser.
func Columns(string) int { return 1 }

// ScrollToEnd does nothing outside a browser.
func ScrollToEnd(string) {}

// DrawFile does nothing outside a browser.
func DrawFile(app.Value, any) {}

// Play does nothing outside a browser.
func Play(any) {}
