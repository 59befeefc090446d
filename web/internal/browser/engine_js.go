package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/session"
)

// engine is deepemd.js behind the session's interface.
type engine struct{ deepemd js.Value }

// gallery holds the pixels and embeddings of the examples: see web/static/web/gallery.js.
func gallery() js.Value { return js.Global().Get("studio").Get("gallery") }

// Info says what the engine runs.
func (e *engine) Info() session.Info {
	info := e.deepemd.Get("info")
	return session.Info{
		Network:     info.Get("name").String(),
		Fingerprint: gallery().Get("network").Get("sha256").String(),
		Kernels:     info.Get("kernels").String(),
		InputSize:   info.Get("inputSize").Int(),
	}
}

// AddClass implements [session.Engine].
func (e *engine) AddClass(id, label string, nothing bool) error {
	_, err := await(e.deepemd.Call("addClass", label, object(map[string]any{"id": id, "nothing": nothing})))
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
func (e *engine) RestoreExamples(classID string, ids []string) (session.Restored, error) {
	made, err := await(gallery().Call("restore", e.deepemd, classID, stringArray(ids)))
	if err != nil {
		return session.Restored{}, err
	}
	restored := session.Restored{Embedded: made.Get("embedded").Int()}
	taught, refused := made.Get("taught"), made.Get("refused")
	for i := range taught.Length() {
		restored.Taught = append(restored.Taught, taught.Index(i).String())
	}
	for i := range refused.Length() {
		r := refused.Index(i)
		restored.Refused = append(restored.Refused, session.RefusedExample{
			ID: r.Get("id").String(), Name: r.Get("name").String(), Err: failure(r.Get("error")),
		})
	}
	if reason := made.Get("error"); reason.Truthy() {
		return restored, failure(reason)
	}
	return restored, nil
}

// RemoveExample implements [session.Engine].
func (e *engine) RemoveExample(id string) error {
	_, err := await(e.deepemd.Call("removeExample", id))
	return err
}

// Classify implements [session.Engine].
func (e *engine) Classify(source session.Source, live bool) (session.Answer, error) {
	source, err := unpacked(source)
	if err != nil {
		return session.Answer{}, err
	}
	answer, err := await(e.deepemd.Call("classify", source, object(map[string]any{"live": live})))
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
	if u := answer.Get("unknown"); u.Truthy() { // The method names strangers, or there are examples of nothing.
		a.Unknown, a.Nothing = u.Get("unknown").Bool(), u.Get("nothing").Truthy()
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

// EnableClass implements [session.Engine].
func (e *engine) EnableClass(id string, enabled bool) error {
	_, err := await(e.deepemd.Call("enableClass", id, enabled))
	return err
}

// Learned implements [session.Engine].
func (e *engine) Learned() bool { return e.deepemd.Get("learned").Bool() }

// Memory implements [session.Engine].
func (e *engine) Memory() int { return gallery().Get("bytes").Int() }
