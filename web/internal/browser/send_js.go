package browser

import (
	"sync"
	"syscall/js"
)

// Sends reports whether the system has a share sheet that takes pages.
var Sends = sync.OnceValue(func() bool {
	navigator := js.Global().Get("navigator")
	if navigator.Get("canShare").Type() != js.TypeFunction {
		return false
	}
	page := js.Global().Get("File").New([]any{""}, "page.html", map[string]any{"type": "text/html"})
	return navigator.Call("canShare", map[string]any{"files": []any{page}}).Bool()
})
