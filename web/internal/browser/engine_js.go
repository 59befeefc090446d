package browser

import (
	"errors"
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/session"
)

// engine is deepemd.js behind the session's interface.
type engine struct{ deepemd js.Value }

// gallery is what the examples are made of: see web/static/web/gallery.js.
func gallery() js.Value { return js.Global().Get("studio").Get("gallery") }

// loaded is the engine of this page once it is there; there is one page and one
// engine to it.
var loaded *engine

// ConnectEngine hands the session the engine that boot.js has been loading
// since before this program ran, and keeps telling it how the engine fares.
func ConnectEngine(s *session.Session) {
	go load(s, js.Global().Get("studio").Get("engine"))
}

// RetryEngine loads the engine again after it failed to load or to restart.
func RetryEngine(s *session.Session) {
	if loaded != nil {
		go func() {
			if err := loaded.revive(); err != nil {
				s.EngineCrashed(err, false)
			} else {
				s.EngineRestarted()
			}
		}()
		return
	}
	s.EngineLoading()
	go load(s, js.Global().Get("studio").Call("start"))
}

func load(s *session.Session, promise js.Value) {
	progress := js.FuncOf(func(_ js.Value, args []js.Value) any {
		p := args[0]
		s.EngineProgress(p.Get("stage").String(), p.Get("loaded").Int(), p.Get("total").Int())
		return nil
	})
	studio := js.Global().Get("studio")
	studio.Set("onprogress", progress)
	js.Global().Get("Object").Call("values", studio.Get("progress")).Call("forEach", progress)
	deepemd, err := await(promise)
	studio.Set("onprogress", js.Null())
	progress.Release()
	if err != nil {
		s.EngineFailed(err)
		return
	}
	if _, err := await(gallery().Call("connect", deepemd)); err != nil {
		s.EngineFailed(err)
		return
	}
	loaded = &engine{deepemd}
	// These two live as long as the page.
	deepemd.Call("addEventListener", "crash", js.FuncOf(func(_ js.Value, args []js.Value) any {
		detail := args[0].Get("detail")
		go s.EngineCrashed(failure(detail), detail.Get("restarting").Bool())
		return nil
	}))
	deepemd.Call("addEventListener", "restart", js.FuncOf(func(js.Value, []js.Value) any {
		go s.EngineRestarted()
		return nil
	}))
	s.EngineReady(loaded)
}

// Info says what the engine runs.
func (e *engine) Info() session.Info {
	info := e.deepemd.Get("info")
	return session.Info{
		Network:   info.Get("name").String(),
		Kernels:   info.Get("kernels").String(),
		InputSize: info.Get("inputSize").Int(),
	}
}

// AddClass implements [session.Engine].
func (e *engine) AddClass(id, label string) error {
	_, err := await(e.deepemd.Call("addClass", label, object(map[string]any{"id": id})))
	return err
}

// RenameClass implements [session.Engine].
func (e *engine) RenameClass(id, label string) error {
	_, err := await(e.deepemd.Call("renameClass", id, label))
	return err
}

// RemoveClass implements [session.Engine].
func (e *engine) RemoveClass(id string) error {
	_, err := await(e.deepemd.Call("removeClass", id))
	return err
}

// AddExample implements [session.Engine].
func (e *engine) AddExample(classID, id string, source session.Source) error {
	example, err := await(e.deepemd.Call("addExample", classID, source, object(map[string]any{"id": id})))
	if err != nil {
		return err
	}
	gallery().Call("add", example)
	return nil
}

// RestoreExamples implements [session.Engine].
func (e *engine) RestoreExamples(classID string, ids []string) (int, error) {
	anew, err := await(gallery().Call("restore", e.deepemd, classID, stringArray(ids)))
	if err != nil {
		return 0, err
	}
	return anew.Int(), nil
}

// RemoveExample implements [session.Engine].
func (e *engine) RemoveExample(id string) error {
	_, err := await(e.deepemd.Call("removeExample", id))
	return err
}

// Classify implements [session.Engine].
func (e *engine) Classify(source session.Source) (session.Answer, error) {
	source, err := unpacked(source)
	if err != nil {
		return session.Answer{}, err
	}
	answer, err := await(e.deepemd.Call("classify", source, object(map[string]any{"unknown": true})))
	if err != nil {
		return session.Answer{}, err
	}
	return answerOf(answer), nil
}

// answerOf reads what deepemd.js says about a picture.
func answerOf(answer js.Value) session.Answer {
	a := session.Answer{
		Millis:  answer.Get("ms").Float(),
		EmbedMs: answer.Get("embedMs").Float(),
		MatchMs: answer.Get("matchMs").Float(),
	}
	if u := answer.Get("unknown"); u.Truthy() {
		a.Stranger = &session.Stranger{Score: u.Get("score").Float(), Balanced: u.Get("balanced").Float()}
	}
	scores := answer.Get("scores")
	for i := range scores.Length() {
		score := scores.Index(i)
		a.Scores = append(a.Scores, session.Score{
			ClassID:     score.Get("id").String(),
			Probability: score.Get("score").Float(),
		})
	}
	return a
}

// revive has deepemd.js start a worker if none runs, and teach it everything
// again: any question does.
func (e *engine) revive() error {
	dot := object(map[string]any{"width": 1, "height": 1, "data": js.Global().Get("Uint8Array").New(3)})
	_, err := e.Classify(dot)
	var reason *session.Error
	if errors.As(err, &reason) && reason.Code == session.CodeEmpty {
		return nil
	}
	return err
}
