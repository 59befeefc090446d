package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// opened is the event of a dialog that opens.
const opened = "deepemd-opened"

// OpenDialog shows the dialog with the given id over the page, which takes no
// input meanwhile. One that is open stays as it is: a second click may come before the
// first one's dialog.
func OpenDialog(id string) {
	dialog := js.Global().Get("document").Call("getElementById", id)
	if dialog.Get("open").Bool() {
		return
	}
	dialog.Call("showModal")
	dialog.Call("dispatchEvent", js.Global().Get("Event").New(opened))
}

// CloseDialog ends a dialog; the focus goes back to where it was.
func CloseDialog(id string) { js.Global().Get("document").Call("getElementById", id).Call("close") }

// InClosedDialog reports whether an element lies in a dialog that is closed: nobody sees it.
func InClosedDialog(element app.Value) bool {
	return app.JSValue(element).Call("closest", "dialog:not([open])").Truthy()
}

// WhenOpened calls act whenever the dialog that an element lies in opens, until cancel is
// called.
func WhenOpened(element app.Value, act func()) (cancel func()) {
	dialog := app.JSValue(element).Call("closest", "dialog")
	if !dialog.Truthy() {
		return func() {}
	}
	listener := js.FuncOf(func(js.Value, []js.Value) any {
		act()
		return nil
	})
	dialog.Call("addEventListener", opened, listener)
	return func() {
		dialog.Call("removeEventListener", opened, listener)
		listener.Release()
	}
}
