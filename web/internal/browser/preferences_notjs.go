//go:build !js

package browser

import "github.com/deepemd/deepemd/web/internal/texts"

// Language is the first of all languages outside a browser.
func Language() *texts.Texts { return texts.Best() }

// Languages are those that the page speaks.
func Languages() []texts.Language { return texts.Languages() }

// SetLanguage does nothing outside a browser.
func SetLanguage(string, func(*texts.Texts)) {}

// Theme is the system's outside a browser.
func Theme() string { return ThemeSystem }

// SetTheme does nothing outside a browser.
func SetTheme(string) {}
