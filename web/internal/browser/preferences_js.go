package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// preferences comes from the first script of the page: what the person chose
// in earlier visits, in effect since before anything was painted.
func preferences() js.Value { return js.Global().Get("preferences") }

// Language is what the page says in this browser: what was chosen, or what the
// browser prefers.
func Language() *texts.Texts { return texts.Best(preferences().Get("language").String()) }

// SetLanguage remembers the chosen language and names it to the browser, for
// whoever reads the page aloud.
func SetLanguage(code string) { preferences().Set("language", code) }

// Theme is the chosen theme.
func Theme() string { return preferences().Get("theme").String() }

// SetTheme puts a theme into effect and remembers it.
func SetTheme(theme string) { preferences().Set("theme", theme) }

// OpenDialog shows the dialog with the given id over the page, which takes no
// input meanwhile.
func OpenDialog(id string) { js.Global().Get("document").Call("getElementById", id).Call("showModal") }

// CloseDialog ends a dialog; the focus goes back to where it was.
func CloseDialog(id string) { js.Global().Get("document").Call("getElementById", id).Call("close") }
