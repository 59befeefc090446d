package kernel

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestTroubleLeavesOutWhatPasses(t *testing.T) {
	for _, c := range []struct {
		err  error
		said bool
	}{
		{failure(CodeCrashed, "gone"), false},
		{failure(CodeEmpty, "nothing"), false},
		{failure(CodeUnknown, "no class"), false},
		{failure(CodeOutOfMemory, "no memory"), true},
		{errors.New("anything"), true},
	} {
		_, notices := queueForTest()
		notices.Trouble(c.err)
		if said := len(notices.List()) > 0; said != c.said {
			t.Errorf("%v: said %v, want %v", c.err, said, c.said)
		}
	}
}

func TestNoticesReplaceOneAnotherAndGoodOnesGo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newKernel()
		n := s.Notices
		var told atomic.Int32
		n.Watch(func() { told.Add(1) })
		n.Post(engineRestarted(1))
		n.Post(captureWithoutCamera())
		rest(goodLasts / 2)
		n.Post(engineRestarted(2)) // stays longer than the first
		rest(goodLasts / 2)
		list := n.List()
		if len(list) != 2 || list[0].Text != texts.In("en").Notice.Kept(2) {
			t.Errorf("notices %+v, want the second and the one about the camera", list)
		}
		s.SetLanguage(texts.In("de"))
		if got := n.List()[1].Title; got != texts.In("de").Notice.CameraOff {
			t.Errorf("%q after the language was changed", got)
		}
		rest(goodLasts)
		if list := n.List(); len(list) != 1 || list[0].Key != noticeCamera {
			t.Errorf("notices %+v, want the one about the camera", list)
		}
		n.Dismiss(noticeCamera)
		if got := fmt.Sprint(n.List()); got != "[]" || told.Load() != 6 {
			t.Errorf("notices %s, told %d times", got, told.Load())
		}
	})
}
