package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// FoundIn hands over the pictures in the folders and archives that were chosen in a
// field, or dropped. What goes wrong is an error with the name of the file.
func FoundIn(given app.Value, take func([]session.Entry, error)) {
	v := app.JSValue(given)
	if transfer := v.Get("dataTransfer"); transfer.Truthy() {
		v = transfer
	} else {
		v = js.Global().Get("Array").Call("from", v.Get("files"))
		app.JSValue(given).Set("value", "") // so that the same can be chosen again
	}
	promise := js.Global().Get("studio").Call("find", v)
	go func() {
		found, err := await(promise)
		if err != nil {
			take(nil, err)
			return
		}
		entries := make([]session.Entry, found.Length())
		for i := range entries {
			f := found.Index(i)
			entries[i] = session.Entry{
				File: session.File{Name: f.Get("name").String(), Source: f.Get("source")},
				Path: f.Get("path").String(),
			}
		}
		take(entries, nil)
	}()
}

// unpacked returns the content of a source: files in archives are opened when needed.
func unpacked(source session.Source) (session.Source, error) {
	v, ok := source.(js.Value)
	if !ok || v.Type() != js.TypeObject || v.Get("blob").Type() != js.TypeFunction {
		return source, nil
	}
	blob, err := await(v.Call("blob"))
	return blob, err
}
