package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// engine is deepemd.js behind the kernel's interface.
type engine struct{ deepemd js.Value }

// Info says what the engine runs.
func (e *engine) Info() kernel.Info {
	info := e.deepemd.Get("info")
	return kernel.Info{
		Network:     info.Get("name").String(),
		Fingerprint: gallery.Get("network").Get("sha256").String(),
		Kernels:     info.Get("kernels").String(),
		InputSize:   info.Get("inputSize").Int(),
	}
}

// AddClass implements [kernel.Engine].
func (e *engine) AddClass(id, label string, nothing bool) error {
	_, err := await(e.deepemd.Call("addClass", label, object(map[string]any{"id": id, "nothing": nothing})))
	return err
}

// RenameClass implements [kernel.Engine].
func (e *engine) RenameClass(id, label string) error {
	_, err := await(e.deepemd.Call("renameClass", id, label))
	return err
}

// RemoveClass implements [kernel.Engine].
func (e *engine) RemoveClass(id string) error {
	_, err := await(e.deepemd.Call("removeClass", id))
	return err
}

// AddExample implements [kernel.Engine].
func (e *engine) AddExample(classID, id string, source kernel.Source) error {
	example, err := await(e.deepemd.Call("addExample", classID, source, object(map[string]any{"id": id})))
	if err != nil {
		return err
	}
	gallery.Call("add", example)
	return nil
}

// RestoreExamples implements [kernel.Engine].
func (e *engine) RestoreExamples(classID string, ids []string) (kernel.Restored, error) {
	made, err := await(gallery.Call("restore", e.deepemd, classID, stringArray(ids)))
	if err != nil {
		return kernel.Restored{}, err
	}
	restored := kernel.Restored{Embedded: made.Get("embedded").Int()}
	taught, refused := made.Get("taught"), made.Get("refused")
	for i := range taught.Length() {
		restored.Taught = append(restored.Taught, taught.Index(i).String())
	}
	for i := range refused.Length() {
		r := refused.Index(i)
		restored.Refused = append(restored.Refused, kernel.RefusedExample{
			ID: r.Get("id").String(), Name: r.Get("name").String(), Err: failure(r.Get("error")),
		})
	}
	if reason := made.Get("error"); reason.Truthy() {
		return restored, failure(reason)
	}
	return restored, nil
}

// RemoveExample implements [kernel.Engine].
func (e *engine) RemoveExample(id string) error {
	_, err := await(e.deepemd.Call("removeExample", id))
	return err
}

// Classify implements [kernel.Engine].
func (e *engine) Classify(source kernel.Source, live bool) (kernel.Answer, error) {
	source, err := unpacked(source)
	if err != nil {
		return kernel.Answer{}, err
	}
	answer, err := await(e.deepemd.Call("classify", source, object(map[string]any{"live": live})))
	if err != nil {
		return kernel.Answer{}, err
	}
	return answerOf(answer), nil
}

// answerOf reads what deepemd.js says about a picture.
func answerOf(answer js.Value) kernel.Answer {
	a := kernel.Answer{
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
		a.Scores = append(a.Scores, kernel.Score{
			ClassID:     score.Get("id").String(),
			Probability: score.Get("score").Float(),
		})
	}
	return a
}

// EnableClass implements [kernel.Engine].
func (e *engine) EnableClass(id string, enabled bool) error {
	_, err := await(e.deepemd.Call("enableClass", id, enabled))
	return err
}

// Learned implements [kernel.Engine].
func (e *engine) Learned() bool { return e.deepemd.Get("learned").Bool() }

// Memory implements [kernel.Engine].
func (e *engine) Memory() int { return gallery.Get("bytes").Int() }

// Train implements [kernel.Engine].
func (e *engine) Train(progress func(done, all int), stop <-chan struct{}) (kernel.Gain, error) {
	how, release := control(stop, func(args []js.Value) { progress(args[0].Get("done").Int(), args[0].Get("total").Int()) })
	defer release()
	how.Set("check", true)
	outcome, err := await(e.deepemd.Call("train", how))
	if err != nil {
		return kernel.Gain{}, err
	}
	held := outcome.Get("heldOut")
	if held.IsUndefined() {
		return kernel.Gain{}, nil
	}
	return kernel.Gain{Of: held.Get("of").Int(), Before: held.Get("before").Int(), After: held.Get("after").Int(), Known: true}, nil
}

// Growth implements [kernel.Engine].
func (e *engine) Growth(progress func(kernel.Growth), stop <-chan struct{}) (kernel.Growth, error) {
	how, release := control(stop, func(args []js.Value) {
		found := growth(args[0])
		found.Done, found.Total = args[0].Get("done").Int(), args[0].Get("total").Int()
		progress(found)
	})
	defer release()
	found, err := await(e.deepemd.Call("growth", how))
	if err != nil {
		return kernel.Growth{}, err
	}
	return growth(found), nil
}

func growth(wire js.Value) (g kernel.Growth) {
	points := wire.Get("points")
	for i := range points.Length() {
		p := points.Index(i)
		g.Points = append(g.Points, kernel.GrowthPoint{
			Examples: p.Get("examples").Int(), Right: p.Get("right").Float(), Spread: p.Get("spread").Float(),
		})
	}
	classes := wire.Get("classes")
	for i := range classes.Length() {
		c := classes.Index(i)
		g.Classes = append(g.Classes, kernel.GrowthClass{ID: c.Get("id").String(), Right: counts(c.Get("right")), Asked: counts(c.Get("asked"))})
	}
	return g
}

func counts(list js.Value) []int {
	out := make([]int, list.Length())
	for i := range out {
		out[i] = list.Index(i).Int()
	}
	return out
}

// Review implements [kernel.Engine].
func (e *engine) Review() (kernel.Review, error) {
	wire, err := await(e.deepemd.Call("review"))
	if err != nil {
		return kernel.Review{}, err
	}
	r := kernel.Review{
		Familiarity: answer.Familiarity{Known: floats(wire.Get("known")), Unknown: floats(wire.Get("unknown")), Balanced: wire.Get("balanced").Float()},
		Estimated:   wire.Get("estimated").Bool(),
		Accepted:    wire.Get("accepted").Float(), Rejected: wire.Get("rejected").Float(),
	}
	hurting := wire.Get("hurting")
	for i := range hurting.Length() {
		r.Hurting = append(r.Hurting, hurting.Index(i).Get("id").String())
	}
	examples := wire.Get("examples")
	for i := range examples.Length() {
		e := examples.Index(i)
		r.Examples = append(r.Examples, kernel.Reviewed{
			ID: e.Get("id").String(), ClassID: e.Get("classId").String(), Margin: e.Get("margin").Float(),
			Problem: text(e.Get("problem")), Twin: text(e.Get("twin")), Taken: text(e.Get("taken")),
		})
	}
	return r, nil
}

func floats(list js.Value) []float64 {
	out := make([]float64, list.Length())
	for i := range out {
		out[i] = list.Index(i).Float()
	}
	return out
}

// text is a string, or "" for undefined.
func text(v js.Value) string {
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}
