package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/session"
)

// Review implements [session.Engine].
func (e *engine) Review() (session.Review, error) {
	wire, err := await(e.deepemd.Call("review"))
	if err != nil {
		return session.Review{}, err
	}
	r := session.Review{
		Scores:    answer.Scores{Known: floats(wire.Get("known")), Unknown: floats(wire.Get("unknown")), Balanced: wire.Get("balanced").Float()},
		Estimated: wire.Get("estimated").Bool(),
		Accepted:  wire.Get("accepted").Float(), Rejected: wire.Get("rejected").Float(),
	}
	hurting := wire.Get("hurting")
	for i := range hurting.Length() {
		r.Hurting = append(r.Hurting, hurting.Index(i).Get("id").String())
	}
	examples := wire.Get("examples")
	for i := range examples.Length() {
		e := examples.Index(i)
		r.Examples = append(r.Examples, session.Reviewed{
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
