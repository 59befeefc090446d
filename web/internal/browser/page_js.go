package browser

import (
	"sync"
	"syscall/js"

	"github.com/deepemd/deepemd/core/project"
)

// Kind returns the kind of the page's projects, which its address names.
func Kind() string {
	if studio.Get("sounds").Truthy() {
		return project.KindSound
	}
	return project.KindImage
}

// GoTo goes to the page for projects of a kind.
func GoTo(kind string) {
	hash := ""
	if kind == project.KindSound {
		hash = "sounds"
	}
	location.Set("hash", hash)
}

// Here is the address of the folder that the page lies in, with a slash at the end.
func Here() string {
	return urls.New(".", document.Get("baseURI")).Get("href").String()
}

// CopyField copies the text of the field with the given id, and says whether it could:
// by the clipboard, else as an editor does. Where neither is permitted the text is left
// selected.
func CopyField(id string, done func(copied bool)) {
	field := document.Call("getElementById", id)
	byCommand := func() {
		field.Call("focus")
		field.Call("select")
		done(document.Call("execCommand", "copy").Bool())
	}
	clipboard := navigator.Get("clipboard")
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

// Reload loads the page again, in its new version.
func Reload() { device.Call("reload") }

// Sends reports whether the system has a share sheet that takes pages.
var Sends = sync.OnceValue(func() bool {
	if navigator.Get("canShare").Type() != js.TypeFunction {
		return false
	}
	page := window.Get("File").New([]any{""}, "page.html", map[string]any{"type": "text/html"})
	return navigator.Call("canShare", map[string]any{"files": []any{page}}).Bool()
})
