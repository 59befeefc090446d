//go:build !js

package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// Canvas draws nothing outside a browser.
type Canvas struct{}

// NewCanvas returns a canvas that is never shown.
func NewCanvas(app.Value, func()) *Canvas { return &Canvas{} }

// Close does nothing outside a browser.
func (*Canvas) Close() {}

// Begin says that the canvas is not shown.
func (*Canvas) Begin() (w, h float64, shown bool) { return 0, 0, false }

// Clip does nothing outside a browser.
func (*Canvas) Clip(Box, float64, func()) {}

// Picture does nothing outside a browser.
func (*Canvas) Picture(*Image, Box, Box, float64) {}

// Adding does nothing outside a browser.
func (*Canvas) Adding(func()) {}

// Fill does nothing outside a browser.
func (*Canvas) Fill(Box, string, float64) {}

// Frame does nothing outside a browser.
func (*Canvas) Frame(Box, string, float64, float64) {}

// Ribbon does nothing outside a browser.
func (*Canvas) Ribbon(Point, Point, string, float64, float64, float64) {}

// Label does nothing outside a browser.
func (*Canvas) Label(Point, string) {}

// Image is never made outside a browser.
type Image struct{ Width, Height float64 }

// ImageOf returns nil outside a browser.
func ImageOf(*Image, session.Source) *Image { return nil }

// Shade returns nil outside a browser.
func Shade([]float64, int, float64) *Image { return nil }

// Tint does nothing outside a browser.
func Tint(app.Value, []byte, int) {}

// Roomy is false outside a browser.
func Roomy() bool { return false }
