//go:build !js

package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Outside a browser the page is rendered once, without events: these functions do nothing and
// return the page's initial state. The files *_js.go describe them.

// Canvas is never shown.
type Canvas struct{}

func NewCanvas(app.Value, func()) *Canvas                              { return &Canvas{} }
func (*Canvas) Close()                                                 {}
func (*Canvas) Begin() (w, h float64, shown bool)                      { return 0, 0, false }
func (*Canvas) Clip(Box, float64, func())                              {}
func (*Canvas) Picture(*Image, Box, Box, float64)                      {}
func (*Canvas) Adding(func())                                          {}
func (*Canvas) Fill(Box, string, float64)                              {}
func (*Canvas) Frame(Box, string, float64, float64)                    {}
func (*Canvas) Ribbon(Point, Point, string, float64, float64, float64) {}
func (*Canvas) Label(Point, string)                                    {}

// Image has a size in pixels and no content.
type Image struct{ Width, Height float64 }

func ImageOf(*Image, kernel.Source) *Image           { return nil }
func Shade([]float64, int, float64) *Image           { return nil }
func Tint(app.Value, []byte, int)                    {}
func Roomy() bool                                    { return false }
func Here() string                                   { return "https://example.org/" }
func CopyField(string, func(copied bool))            {}
func Connect(*kernel.Kernel)                         {}
func OpenDialog(string)                              {}
func CloseDialog(string)                             {}
func InClosedDialog(app.Value) bool                  { return false }
func WhenOpened(app.Value, func()) (cancel func())   { return func() {} }
func WhenNear(app.Value, func()) (forget func())     { return func() {} }
func ChosenFiles(app.Value) []kernel.File            { return nil }
func DroppedFiles(app.Value) []kernel.File           { return nil }
func HoldPointer(_, _ app.Value)                     {}
func SetFill(app.Value, float64)                     {}
func FillBars(app.Value, string)                     {}
func Focus(string)                                   {}
func FillScreen(app.Value, func(error))              {}
func FoundIn(app.Value, func([]kernel.File, error))  {}
func BringsFolder(app.Value) bool                    { return false }
func IsTaken(app.Value) bool                         { return true }
func TakesFolders() bool                             { return true } // like most desktop browsers
func Reload()                                        {}
func Kind() string                                   { return project.KindImage }
func GoTo(string)                                    {}
func PlayExample(string)                             {}
func LoadFile(app.Value, any)                        {}
func Language() *texts.Texts                         { return texts.In("en") }
func Languages() []texts.Language                    { return texts.Languages() }
func SetLanguage(string, func(*texts.Texts), func()) {}
func Check(string, string)                           {}
func Theme() string                                  { return ThemeSystem }
func SetTheme(string)                                {}
func Sends() bool                                    { return false }
func ShowExample(app.Value, string)                  {}
func ExampleAt(app.Value) string                     { return "" }
func Columns(string) int                             { return 1 }
func ScrollToEnd(string)                             {}
func DrawFile(app.Value, any)                        {}
func Play(any)                                       {}
