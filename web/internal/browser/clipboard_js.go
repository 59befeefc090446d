package browser

import "syscall/js"

// Here is the address of the folder that the page lies in, with a slash at the end.
func Here() string {
	return js.Global().Get("URL").New(".", js.Global().Get("document").Get("baseURI")).Get("href").String()
}

// CopyField copies the text of the field with the given id, and says whether it could:
// by the clipboard, else as an editor does. Where neither is permitted the text is left
// selected.
func CopyField(id string, done func(copied bool)) {
	document := js.Global().Get("document")
	field := document.Call("getElementById", id)
	byCommand := func() {
		field.Call("focus")
		field.Call("select")
		done(document.Call("execCommand", "copy").Bool())
	}
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if clipboard.IsUndefined() { // as at addresses that are not secure
		byCommand()
		return
	}
	copying := clipboard.Call("writeText", field.Get("value"))
	go func() {
		if _, err := await(copying); err != nil {
			byCommand()
			return
		}
		done(true)
	}()
}
