package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/session"
)

// connectKeys lets the keyboard undo and do again, everywhere but in fields, which
// do that for themselves.
func connectKeys(s *session.Session) {
	js.Global().Call("addEventListener", "keydown", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e := args[0]
		if !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() || e.Get("altKey").Bool() || writes(e.Get("target")) {
			return nil
		}
		switch key, shift := e.Get("key").String(), e.Get("shiftKey").Bool(); {
		case key == "z" && !shift:
			e.Call("preventDefault")
			go s.Classes.Undo()
		case key == "y" || (key == "z" || key == "Z") && shift:
			e.Call("preventDefault")
			go s.Classes.Redo()
		}
		return nil
	}))
}

// writes reports whether typing into an element changes its text.
func writes(element js.Value) bool {
	matches := element.Get("matches")
	return matches.Type() == js.TypeFunction &&
		element.Call("matches", "input:not([type=radio],[type=checkbox],[type=range],[type=file]), textarea, [contenteditable]").Bool()
}
