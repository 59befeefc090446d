//go:build !js

package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Threshold is the default outside a browser.
func Threshold() float64 { return DefaultThreshold }

// SetThreshold does nothing outside a browser.
func SetThreshold(float64) {}

// PlayExample does nothing outside a browser.
func PlayExample(string) {}

// PlayFile does nothing outside a browser.
func PlayFile(app.Value, any) {}
