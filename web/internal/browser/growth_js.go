package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/session"
)

// Growth implements [session.Engine].
func (e *engine) Growth(progress func(session.Growth), stop <-chan struct{}) (session.Growth, error) {
	how, release := control(stop, func(args []js.Value) {
		found := growth(args[0])
		found.Done, found.Total = args[0].Get("done").Int(), args[0].Get("total").Int()
		progress(found)
	})
	defer release()
	found, err := await(e.deepemd.Call("growth", how))
	if err != nil {
		return session.Growth{}, err
	}
	return growth(found), nil
}

func growth(wire js.Value) (g session.Growth) {
	points := wire.Get("points")
	for i := range points.Length() {
		p := points.Index(i)
		g.Points = append(g.Points, session.GrowthPoint{
			Examples: p.Get("examples").Int(), Right: p.Get("right").Float(), Spread: p.Get("spread").Float(),
		})
	}
	classes := wire.Get("classes")
	for i := range classes.Length() {
		c := classes.Index(i)
		g.Classes = append(g.Classes, session.GrowthClass{ID: c.Get("id").String(), Right: counts(c.Get("right")), Asked: counts(c.Get("asked"))})
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
