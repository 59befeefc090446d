//go:build !js

package browser

import "github.com/deepemd/deepemd/web/internal/session"

// ShowDemo does nothing outside a browser.
func ShowDemo(*session.Session) {}

// GuideRead does nothing outside a browser.
func GuideRead() {}

// HideGuide does nothing outside a browser.
func HideGuide() {}

// FoldGuide does nothing outside a browser.
func FoldGuide(string) {}

// Pressed is false outside a browser.
func Pressed() bool { return false }
