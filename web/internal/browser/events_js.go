package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// ChosenFiles takes the files out of the file input in which they were chosen,
// so that the same ones can be chosen again.
func ChosenFiles(input app.Value) []session.File {
	v := app.JSValue(input)
	files := filesOf(v.Get("files"))
	v.Set("value", "")
	return files
}

// DroppedFiles returns the files that a drop event brings.
func DroppedFiles(event app.Value) []session.File {
	transfer := app.JSValue(event).Get("dataTransfer")
	if !transfer.Truthy() {
		return nil
	}
	return filesOf(transfer.Get("files"))
}

// filesOf turns a FileList into files.
func filesOf(list js.Value) []session.File {
	var files []session.File
	for i := range list.Length() {
		f := list.Index(i)
		files = append(files, session.File{Name: f.Get("name").String(), Source: f})
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
	js.Global().Get("studio").Call("fillBars", app.JSValue(answer), figures)
}

// Focus moves the keyboard's focus to the element with the given id and selects
// its text.
func Focus(id string) {
	element := js.Global().Get("document").Call("getElementById", id)
	if element.Truthy() {
		element.Call("focus")
		if element.Get("select").Type() == js.TypeFunction {
			element.Call("select")
		}
	}
}
