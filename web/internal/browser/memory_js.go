package browser

import (
	"runtime"
	"syscall/js"
)

// connectMemory lets measurements ask what the studio's program holds once its garbage is
// collected, in bytes, as the engine lets them ask: its memory never shrinks, and grows in
// steps.
func connectMemory() {
	held := js.FuncOf(func(js.Value, []js.Value) any {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	})
	js.Global().Get("Reflect").Call("set", js.Global().Get("studio"), js.Global().Get("Symbol").Call("for", "deepemd.memory"), held)
}
