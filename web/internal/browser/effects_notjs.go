//go:build !js

package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// ShowMedium does nothing outside a browser.
func ShowMedium(app.Value, string) {}
