//go:build !js

package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Outside a browser the page is rendered once, without events: these functions do nothing and
// return the page's initial state. The versions in *_js.go describe them.

// Canvas draws nothing outside a browser: no method changes anything, and Begin reports that
// nothing is shown.
type Canvas struct{}

// NewCanvas returns a canvas that never calls draw.
func NewCanvas(app.Value, func()) *Canvas { return &Canvas{} }

// Close does nothing.
func (*Canvas) Close() {}

// Begin reports that the canvas is not visible.
func (*Canvas) Begin() (w, h float64, shown bool) { return 0, 0, false }

// Clip does nothing.
func (*Canvas) Clip(Box, float64, func()) {}

// Picture does nothing.
func (*Canvas) Picture(*Image, Box, Box, float64) {}

// Adding does nothing.
func (*Canvas) Adding(func()) {}

// Fill does nothing.
func (*Canvas) Fill(Box, string, float64) {}

// Frame does nothing.
func (*Canvas) Frame(Box, string, float64, float64) {}

// Ribbon does nothing.
func (*Canvas) Ribbon(Point, Point, string, float64, float64, float64) {}

// Label does nothing.
func (*Canvas) Label(Point, string) {}

// Image has a size in pixels and no content.
type Image struct{ Width, Height float64 }

// ImageOf returns nil.
func ImageOf(*Image, kernel.Source) *Image { return nil }

// Shade returns nil.
func Shade([]float64, int, float64) *Image { return nil }

// Tint does nothing.
func Tint(app.Value, []byte, int) {}

// Roomy reports a narrow window.
func Roomy() bool { return false }

// Here returns an example of the folder's address.
func Here() string { return "https://example.org/" }

// CopyField does nothing.
func CopyField(string, func(copied bool)) {}

// Connect does nothing.
func Connect(*kernel.Kernel) {}

// OpenDialog does nothing.
func OpenDialog(string) {}

// CloseDialog does nothing.
func CloseDialog(string) {}

// InClosedDialog returns false: there are no dialogs.
func InClosedDialog(app.Value) bool { return false }

// WhenOpened does nothing.
func WhenOpened(app.Value, func()) (cancel func()) { return func() {} }

// ChosenFiles returns no files.
func ChosenFiles(app.Value) []kernel.File { return nil }

// DroppedFiles returns no files.
func DroppedFiles(app.Value) []kernel.File { return nil }

// HoldPointer does nothing.
func HoldPointer(_, _ app.Value) {}

// SetFill does nothing.
func SetFill(app.Value, float64) {}

// FillBars does nothing.
func FillBars(app.Value, string) {}

// Focus does nothing.
func Focus(string) {}

// FoundIn does nothing.
func FoundIn(app.Value, func([]kernel.Entry, error)) {}

// BringsFolder returns false: there are no drops.
func BringsFolder(app.Value) bool { return false }

// IsTaken returns true: there are no drops.
func IsTaken(app.Value) bool { return true }

// TakesFolders returns true, as for most desktop browsers.
func TakesFolders() bool { return true }

// Reload does nothing.
func Reload() {}

// Kind returns the kind of the page that is rendered: images.
func Kind() string { return project.KindImage }

// GoTo does nothing.
func GoTo(string) {}

// PlayExample does nothing.
func PlayExample(string) {}

// PlayFile does nothing.
func PlayFile(app.Value, any) {}

// Language returns the English texts.
func Language() *texts.Texts { return texts.In("en") }

// Languages returns the page's languages.
func Languages() []texts.Language { return texts.Languages() }

// SetLanguage does nothing.
func SetLanguage(string, func(*texts.Texts)) {}

// Theme returns the default theme.
func Theme() string { return ThemeSystem }

// SetTheme does nothing.
func SetTheme(string) {}

// Sends returns false: there is no share sheet.
func Sends() bool { return false }

// ShowExample does nothing.
func ShowExample(app.Value, string) {}

// ExampleAt returns "".
func ExampleAt(app.Value) string { return "" }

// Columns returns one column.
func Columns(string) int { return 1 }

// ScrollToEnd does nothing.
func ScrollToEnd(string) {}

// DrawFile does nothing.
func DrawFile(app.Value, any) {}

// Play does nothing.
func Play(any) {}
