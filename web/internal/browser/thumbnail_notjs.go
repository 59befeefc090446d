//go:build !js

package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// DrawExample does nothing outside a browser.
func DrawExample(app.Value, string) {}

// DrawFile does nothing outside a browser.
func DrawFile(app.Value, any) {}

// Play does nothing outside a browser.
func Play(any) {}
