package browser

import (
	"errors"
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// loader connects the engine and reports its state to the kernel.
type loader struct {
	kernel *kernel.Kernel
	engine *engine // after loading
}

// connectEngine connects the engine, which boot.js is loading already.
func connectEngine(s *kernel.Kernel) {
	l := &loader{kernel: s}
	s.Engine.OnRetry(l.retry)
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

func (l *loader) load(promise js.Value) {
	s := l.kernel
	progress := Callback(func(args []js.Value) {
		p := args[0]
		s.Engine.Progress(p.Get("stage").String(), p.Get("loaded").Int(), p.Get("total").Int())
	})
	Studio.Set("onprogress", progress)
	Window.Get("Object").Call("values", Studio.Get("progress")).Call("forEach", progress)
	deepemd, err := Await(promise)
	Studio.Set("onprogress", js.Null())
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
	deepemd.Call("addEventListener", "crash", Callback(func(args []js.Value) {
		detail := args[0].Get("detail")
		go s.EngineCrashed(Failure(detail), detail.Get("restarting").Bool())
	}))
	deepemd.Call("addEventListener", "restart", Callback(func([]js.Value) { go s.EngineRestarted() }))
	s.EngineReady(l.engine)
}

// revive restarts a crashed worker by a request.
func (e *engine) revive() error {
	dot := js.ValueOf(map[string]any{"width": 1, "height": 1, "data": Window.Get("Uint8Array").New(3)})
	_, err := e.Classify(dot, false)
	var reason *kernel.Error
	if errors.As(err, &reason) && reason.Code == kernel.CodeEmpty {
		return nil
	}
	return err
}
