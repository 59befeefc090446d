package browser

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// ChosenFiles returns the files of a file input and empties it, so that the same files can be chosen
// again.
func ChosenFiles(input app.Value) []kernel.File {
	v := Of(input)
	files := filesOf(v.Get("files"))
	v.Set("value", "")
	return files
}

// DroppedFiles returns the files of a drop event.
func DroppedFiles(event app.Value) []kernel.File {
	transfer := Of(event).Get("dataTransfer")
	if !transfer.Truthy() {
		return nil
	}
	return filesOf(transfer.Get("files"))
}

// BringsLink reports whether a drop event has a link, such as a picture's in another page, and no file.
func BringsLink(event app.Value) bool {
	transfer := Of(event).Get("dataTransfer")
	return transfer.Truthy() && transfer.Get("files").Length() == 0 && transfer.Call("getData", "URL").String() != ""
}

// filesOf converts a FileList.
func filesOf(list Value) []kernel.File {
	return convert(list, func(f Value) kernel.File { return kernel.File{Name: f.Get("name").String(), Source: f} })
}

// FoundIn passes the images in chosen or dropped folders and archives to take. An error names the
// file.
func FoundIn(given app.Value, take func([]kernel.File, error)) {
	v := Of(given)
	if transfer := v.Get("dataTransfer"); transfer.Truthy() {
		v = transfer
	} else {
		v = Window.Get("Array").Call("from", v.Get("files"))
		Of(given).Set("value", "") // allows choosing the same files again
	}
	promise := Studio.Call("find", v)
	go func() { take(foundFiles(Await(promise))) }()
}

// foundFiles converts the result of folders.js.
func foundFiles(found Value, err error) ([]kernel.File, error) {
	if err != nil {
		return nil, err
	}
	return convert(found, func(f Value) kernel.File {
		return kernel.File{Name: f.Get("name").String(), Source: f.Get("source"), Path: f.Get("path").String()}
	}), nil
}

// BringsFolder reports whether a drop event has a folder, whose files FoundIn returns.
func BringsFolder(event app.Value) bool {
	transfer := Of(event).Get("dataTransfer")
	if !transfer.Truthy() {
		return false
	}
	items := transfer.Get("items")
	for i := range items.Length() {
		item := items.Index(i)
		if item.Get("webkitGetAsEntry").Type() != TypeFunction {
			return false
		}
		if entry := item.Call("webkitGetAsEntry"); entry.Truthy() && entry.Get("isDirectory").Bool() {
			return true
		}
	}
	return false
}

// TakesFolders reports whether users can choose folders: most phones and tablets do not support
// this. The page before its program is for the others.
func TakesFolders() bool {
	return app.IsServer || Window.Get("HTMLInputElement").Get("prototype").Call("hasOwnProperty", "webkitdirectory").Bool() &&
		!Window.Call("matchMedia", "(pointer: coarse) and (hover: none)").Get("matches").Bool()
}

// unpacked returns the content of a source: files in archives are opened when needed.
func unpacked(source kernel.Source) (kernel.Source, error) {
	v, ok := source.(Value)
	if !ok || v.Type() != TypeObject || v.Get("blob").Type() != TypeFunction {
		return source, nil
	}
	return Await(v.Call("blob"))
}

// HoldPointer sends the pointer's events to the element until the pointer is released.
func HoldPointer(element, event app.Value) {
	id := Of(event).Get("pointerId")
	// It fails if the pointer has been released already.
	defer func() { _ = recover() }()
	Of(element).Call("setPointerCapture", id)
}

// Focus moves the focus to the element with the given id, shows its start and selects its text.
func Focus(id string) {
	element := Document.Call("getElementById", id)
	if element.Truthy() {
		element.Call("focus")
		if element.Get("clientHeight").Int() > Window.Get("innerHeight").Int()/3 { // browsers show its middle
			element.Call("scrollIntoView")
		}
		if element.Get("select").Type() == TypeFunction {
			element.Call("select")
		}
	}
}

// JumpTo unfolds the section of the button with the given id, moves the focus there, and shows the
// section's start.
func JumpTo(id string) {
	button := Document.Call("getElementById", id)
	if !button.Truthy() {
		return
	}
	show := func() { button.Call("closest", "section").Call("scrollIntoView") }
	button.Call("focus", map[string]any{"preventScroll": true})
	if button.Call("getAttribute", "aria-expanded").String() == "false" {
		button.Call("click")
		time.AfterFunc(drawn, show) // before, the page may be too short
	}
	show()
}

// drawn is the time after which a change is on the page.
const drawn = 100 * time.Millisecond

// Check checks a radio button. Rendering again would not: its attribute has not changed.
func Check(name, value string) {
	Document.Call("querySelector", "input[name="+name+"][value="+value+"]").Set("checked", true)
}

// opened is the event of an opening dialog.
const opened = "deepemd-opened"

// OpenDialog opens the modal dialog with the given id, unless it is open: a second click may come
// before the dialog.
func OpenDialog(id string) {
	dialog := Document.Call("getElementById", id)
	if dialog.Get("open").Bool() {
		return
	}
	dialog.Call("showModal")
	dialog.Call("dispatchEvent", Window.Get("Event").New(opened))
}

// CloseDialog closes a dialog; the focus returns to its previous element.
func CloseDialog(id string) { Document.Call("getElementById", id).Call("close") }

// WhenOpened calls act whenever the dialog of an element opens, until cancel is called.
func WhenOpened(element app.Value, act func()) (cancel func()) {
	dialog := Of(element).Call("closest", "dialog")
	if !dialog.Truthy() {
		return func() {}
	}
	listener := Callback(func([]Value) { act() })
	dialog.Call("addEventListener", opened, listener)
	return func() {
		dialog.Call("removeEventListener", opened, listener)
		listener.Release()
	}
}

// WhenNear calls act once an element is near the window, unless forget was called before.
func WhenNear(element app.Value, act func()) (forget func()) {
	listener := Callback(func([]Value) { act() })
	Studio.Call("whenNear", Of(element), listener)
	return func() {
		Studio.Call("forgetNear", Of(element))
		listener.Release()
	}
}
