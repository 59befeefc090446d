package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/session"
)

// connectSpared marks the page of a slow device, which styles then spare what moves at
// every answer: drawing that takes as long as an answer does there.
func connectSpared(s *session.Session) {
	page := js.Global().Get("document").Get("documentElement")
	mark := func() { page.Call("toggleAttribute", "data-spared", s.Network.State().Supplied.Small) }
	mark()
	s.Network.Watch(mark)
}
