//go:build !js

package browser

// Sends is false outside a browser.
func Sends() bool { return false }
