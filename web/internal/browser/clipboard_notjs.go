//go:build !js

package browser

// Here is the address of the folder that the page lies in; outside a browser an example.
func Here() string { return "https://example.org/" }

// CopyField does nothing outside a browser.
func CopyField(string, func(copied bool)) {}
