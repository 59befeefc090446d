package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/session"
)

// Train implements [session.Engine].
func (e *engine) Train(progress func(done, all int), stop <-chan struct{}) (session.Gain, error) {
	how, release := control(stop, func(args []js.Value) { progress(args[0].Get("done").Int(), args[0].Get("total").Int()) })
	defer release()
	how.Set("check", true)
	outcome, err := await(e.deepemd.Call("train", how))
	if err != nil {
		return session.Gain{}, err
	}
	held := outcome.Get("heldOut")
	if held.IsUndefined() {
		return session.Gain{}, nil
	}
	return session.Gain{Of: held.Get("of").Int(), Before: held.Get("before").Int(), After: held.Get("after").Int(), Known: true}, nil
}
