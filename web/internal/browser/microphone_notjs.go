//go:build !js

package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// PlayExample does nothing outside a browser.
func PlayExample(string) {}

// PlayFile does nothing outside a browser.
func PlayFile(app.Value, any) {}
