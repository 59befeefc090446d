package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// FoundIn passes the images in chosen or dropped folders and archives to take. An error names the
// file.
func FoundIn(given app.Value, take func([]kernel.Entry, error)) {
	v := app.JSValue(given)
	if transfer := v.Get("dataTransfer"); transfer.Truthy() {
		v = transfer
	} else {
		v = Window.Get("Array").Call("from", v.Get("files"))
		app.JSValue(given).Set("value", "") // allows choosing the same files again
	}
	promise := Studio.Call("find", v)
	go func() { take(entriesOf(Await(promise))) }()
}

// entriesOf converts the result of folders.js.
func entriesOf(found js.Value, err error) ([]kernel.Entry, error) {
	if err != nil {
		return nil, err
	}
	return convert(found, func(f js.Value) kernel.Entry {
		return kernel.Entry{File: kernel.File{Name: f.Get("name").String(), Source: f.Get("source")}, Path: f.Get("path").String()}
	}), nil
}

// BringsFolder reports whether a drop event has a folder, whose files FoundIn returns.
func BringsFolder(event app.Value) bool {
	transfer := app.JSValue(event).Get("dataTransfer")
	if !transfer.Truthy() {
		return false
	}
	items := transfer.Get("items")
	for i := range items.Length() {
		item := items.Index(i)
		if item.Get("webkitGetAsEntry").Type() != js.TypeFunction {
			return false
		}
		if entry := item.Call("webkitGetAsEntry"); entry.Truthy() && entry.Get("isDirectory").Bool() {
			return true
		}
	}
	return false
}

// IsTaken reports whether a drop event was handled.
func IsTaken(event app.Value) bool { return app.JSValue(event).Get("defaultPrevented").Bool() }

// TakesFolders reports whether users can choose folders: most phones and tablets do not support
// this.
func TakesFolders() bool {
	return Window.Get("HTMLInputElement").Get("prototype").Call("hasOwnProperty", "webkitdirectory").Bool() &&
		!Window.Call("matchMedia", "(pointer: coarse) and (hover: none)").Get("matches").Bool()
}

// unpacked returns the content of a source: files in archives are opened when needed.
func unpacked(source kernel.Source) (kernel.Source, error) {
	v, ok := source.(js.Value)
	if !ok || v.Type() != js.TypeObject || v.Get("blob").Type() != js.TypeFunction {
		return source, nil
	}
	return Await(v.Call("blob"))
}
