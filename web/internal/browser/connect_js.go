package browser

import (
	"runtime"
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Connect connects the kernel with the browser.
func Connect(s *kernel.Kernel) {
	if s.Project.OfSounds() {
		connectMicrophone(s)
	} else {
		connectCamera(s)
		connectSpared(s)
	}
	connectStore(s)
	connectKeys(s)
	connectEngine(s)
	connectMemory()
}

// connectKeys undoes and redoes by keyboard, except in text fields, which have their own undo.
func connectKeys(s *kernel.Kernel) {
	Window.Call("addEventListener", "keydown", Callback(func(args []js.Value) {
		e := args[0]
		if !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() || e.Get("altKey").Bool() || writes(e.Get("target")) {
			return
		}
		switch key, shift := e.Get("key").String(), e.Get("shiftKey").Bool(); {
		case key == "z" && !shift:
			e.Call("preventDefault")
			go s.Classes.Undo()
		case key == "y" || (key == "z" || key == "Z") && shift:
			e.Call("preventDefault")
			go s.Classes.Redo()
		}
	}))
}

// writes reports whether typing into an element changes its text.
func writes(element js.Value) bool {
	matches := element.Get("matches")
	return matches.Type() == js.TypeFunction &&
		element.Call("matches", "input:not([type=radio],[type=checkbox],[type=range],[type=file]), textarea, [contenteditable]").Bool()
}

// connectSpared marks the page on slow devices, where the style sheets then leave out animations:
// drawing them would take as long as an answer.
func connectSpared(s *kernel.Kernel) {
	page := document.Get("documentElement")
	mark := func() { page.Call("toggleAttribute", "data-spared", s.Setup.Weights().Small) }
	mark()
	s.Setup.Watch(mark)
}

// connectMemory lets measurements read the studio's memory in bytes after a garbage collection, as
// the engine's. The size of the WebAssembly memory would tell less: it never shrinks.
func connectMemory() {
	held := js.FuncOf(func(js.Value, []js.Value) any {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	})
	Window.Get("Reflect").Call("set", Studio, Window.Get("Symbol").Call("for", "deepemd.memory"), held)
}
