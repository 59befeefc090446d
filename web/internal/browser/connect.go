package browser

import (
	"runtime"
	"strings"

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
	Window.Call("addEventListener", "keydown", Callback(func(args []Value) {
		e := args[0]
		if !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() || e.Get("altKey").Bool() || writes(e.Get("target")) {
			return
		}
		// With Caps Lock, the letters are capital without Shift.
		switch key, shift := strings.ToLower(e.Get("key").String()), e.Get("shiftKey").Bool(); {
		case key == "z" && !shift:
			e.Call("preventDefault")
			go s.Classes.Undo()
		case key == "y" && !shift || key == "z" && shift:
			e.Call("preventDefault")
			go s.Classes.Redo()
		}
	}))
}

// writes reports whether typing into an element changes its text.
func writes(element Value) bool {
	matches := element.Get("matches")
	return matches.Type() == TypeFunction &&
		element.Call("matches", "input:not([type=radio],[type=checkbox],[type=range],[type=file]), textarea, [contenteditable]").Bool()
}

// connectSpared marks the page on slow devices, where the style sheets then leave out animations:
// drawing them would take as long as an answer.
func connectSpared(s *kernel.Kernel) {
	page := Document.Get("documentElement")
	mark := func() { page.Call("toggleAttribute", "data-spared", s.Setup.Weights().Small()) }
	mark()
	s.Setup.Watch(mark)
}

// connectMemory lets measurements read the studio's memory in bytes after a garbage collection, as
// the engine's. The size of the WebAssembly memory would tell less: it never shrinks.
func connectMemory() {
	held := FuncOf(func(Value, []Value) any {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	})
	Window.Get("Reflect").Call("set", Studio, Window.Get("Symbol").Call("for", "deepemd.memory"), held)
}

// loader connects the engine and reports its state to the kernel.
type loader struct {
	kernel *kernel.Kernel
	engine *engine // after loading
}

// connectEngine connects the engine, which boot.js is loading already.
func connectEngine(s *kernel.Kernel) {
	l := &loader{kernel: s}
	s.Engine.Reload = l.retry
	go l.load(Studio.Get("engine"))
}

// retry loads the engine again after a failure, or restarts it.
func (l *loader) retry() {
	if l.engine == nil {
		l.kernel.Engine.Loading()
		go l.load(Studio.Call("start"))
		return
	}
	go func() {
		if err := l.engine.revive(); err != nil {
			l.kernel.EngineCrashed(err, false)
		} else {
			l.kernel.EngineRestarted()
		}
	}()
}

func (l *loader) load(promise Value) {
	s := l.kernel
	progress := Callback(func(args []Value) {
		p := args[0]
		s.Engine.Progress(p.Get("stage").String(), p.Get("loaded").Int(), p.Get("total").Int())
	})
	Studio.Set("onprogress", progress)
	Window.Get("Object").Call("values", Studio.Get("progress")).Call("forEach", progress)
	deepemd, err := Await(promise)
	Studio.Set("onprogress", Null())
	progress.Release()
	if err == nil {
		_, err = Await(Gallery.Call("connect", deepemd))
	}
	if err != nil {
		s.EngineFailed(err)
		return
	}
	l.engine = &engine{deepemd}
	// Both listeners stay for the life of the page.
	deepemd.Call("addEventListener", "crash", Callback(func(args []Value) {
		detail := args[0].Get("detail")
		go s.EngineCrashed(Failure(detail), detail.Get("restarting").Bool())
	}))
	deepemd.Call("addEventListener", "restart", Callback(func([]Value) { go s.EngineRestarted() }))
	s.EngineReady(l.engine)
}

// revive restarts a crashed worker by a request.
func (e *engine) revive() error {
	dot := ValueOf(map[string]any{"width": 1, "height": 1, "data": Window.Get("Uint8Array").New(3)})
	if _, err := e.Classify(dot, false); kernel.CodeOf(err) != kernel.CodeEmpty {
		return err
	}
	return nil
}
