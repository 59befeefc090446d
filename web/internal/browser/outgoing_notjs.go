//go:build !js

package browser

// Host is "" outside a browser.
func Host() string { return "" }

// WatchOutgoing does nothing outside a browser.
func WatchOutgoing(func(Outgoing)) {}
