package main

import (
	"syscall/js"

	"deepemd/wasm"
)

func main() {
	b := &bridge{host: wasm.Host{Crash: crash}}
	// worker.js waits for the function that answers requests.
	js.Global().Call("deepemdConnect", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return b.handle(args[0])
	}))
	select {}
}
