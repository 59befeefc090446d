package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// ChosenFiles takes the files out of the file input in which they were chosen,
// so that the same ones can be chosen again.
func ChosenFiles(input app.Value) []kernel.File {
	v := app.JSValue(input)
	files := filesOf(v.Get("files"))
	v.Set("value", "")
	return files
}

// DroppedFiles returns the files that a drop event brings.
func DroppedFiles(event app.Value) []kernel.File {
	transfer := app.JSValue(event).Get("dataTransfer")
	if !transfer.Truthy() {
		return nil
	}
	return filesOf(transfer.Get("files"))
}

// filesOf turns a FileList into files.
func filesOf(list js.Value) []kernel.File {
	var files []kernel.File
	for i := range list.Length() {
		f := list.Index(i)
		files = append(files, kernel.File{Name: f.Get("name").String(), Source: f})
	}
	return files
}

// HoldPointer makes the element get the pointer's events until it is released,
// wherever it goes.
func HoldPointer(element, event app.Value) {
	id := app.JSValue(event).Get("pointerId")
	// The pointer may be up already: then there is nothing to hold.
	defer func() { _ = recover() }()
	app.JSValue(element).Call("setPointerCapture", id)
}

// SetFill sets how full a bar is, 0 to 1, through the style sheet's variable
// --fill: the page's policy allows no style attributes.
func SetFill(element app.Value, fill float64) {
	app.JSValue(element).Get("style").Call("setProperty", "--fill", fill)
}

// FillBars writes the figures of the answer's bars: see web/static/web/drawing.js.
func FillBars(answer app.Value, figures string) {
	studio.Call("fillBars", app.JSValue(answer), figures)
}

// Focus moves the keyboard's focus to the element with the given id and selects
// its text.
func Focus(id string) {
	element := document.Call("getElementById", id)
	if element.Truthy() {
		element.Call("focus")
		if element.Get("select").Type() == js.TypeFunction {
			element.Call("select")
		}
	}
}

// opened is the event of a dialog that opens.
const opened = "deepemd-opened"

// OpenDialog shows the dialog with the given id over the page, which takes no
// input meanwhile. One that is open stays as it is: a second click may come before the
// first one's dialog.
func OpenDialog(id string) {
	dialog := document.Call("getElementById", id)
	if dialog.Get("open").Bool() {
		return
	}
	dialog.Call("showModal")
	dialog.Call("dispatchEvent", window.Get("Event").New(opened))
}

// CloseDialog ends a dialog; the focus goes back to where it was.
func CloseDialog(id string) { document.Call("getElementById", id).Call("close") }

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

// Tint draws RGBA pixels, so many in a row, on a canvas, whose pixels they are from then
// on; nil leaves nothing on it.
func Tint(canvas app.Value, rgba []byte, columns int) {
	c := app.JSValue(canvas)
	if rgba == nil {
		c.Set("width", c.Get("width"))
		return
	}
	for name, pixels := range map[string]int{"width": columns, "height": len(rgba) / 4 / columns} {
		if c.Get(name).Int() != pixels {
			c.Set(name, pixels)
		}
	}
	c.Call("getContext", "2d").Call("putImageData", imageData(rgba, columns), 0, 0)
}
