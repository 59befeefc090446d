//go:build !js

package browser

// Install does nothing outside a browser.
func Install() {}

// Reload does nothing outside a browser.
func Reload() {}
