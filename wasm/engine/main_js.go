package main

import (
	"math"
	"syscall/js"
	"time"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/wasm/internal/host"
)

// hear reads sounds; it is nil in the variant for pictures.
var hear learner.Hearing

func main() {
	b := &bridge{host: host.Host{Crash: crash, Hearing: hear}, turns: newTurns()}
	b.idle = time.AfterFunc(math.MaxInt64, b.learn)
	// worker.js waits for the function that answers requests.
	js.Global().Call("deepemdConnect", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return b.handle(args[0], args[1])
	}))
	select {}
}
