package kernel_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestTroubleLeavesOutWhatPasses(t *testing.T) {
	for _, c := range []struct {
		err  error
		said bool
	}{
		{kerneltest.Failure(CodeCrashed, "gone"), false},
		{kerneltest.Failure(CodeEmpty, "nothing"), false},
		{kerneltest.Failure(CodeUnknown, "no class"), false},
		{kerneltest.Failure(CodeOutOfMemory, "no memory"), true},
		{errors.New("anything"), true},
	} {
		notices := kerneltest.New().Notices
		notices.Trouble(c.err)
		if said := len(notices.List()) > 0; said != c.said {
			t.Errorf("%v: said %v, want %v", c.err, said, c.said)
		}
	}
}

func TestNoticesReplaceOneAnotherAndGoodOnesGo(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s := kerneltest.New()
		n := s.Notices
		var told atomic.Int32
		cancel := n.Watch(func() { told.Add(1) })
		n.Post(EngineRestarted(1))
		n.Post(CaptureWithoutCamera(s))
		kerneltest.Rest(GoodLasts / 2)
		n.Post(EngineRestarted(2))
		kerneltest.Rest(GoodLasts / 2)
		list := n.List()
		if len(list) != 2 || list[0].Text != texts.In("en").Notice.Kept(2) {
			t.Errorf("notices %+v, want the second and the one about the camera", list)
		}
		s.SetLanguage(texts.In("de"))
		if got := n.List()[1].Title; got != texts.In("de").Notice.CameraOff {
			t.Errorf("%q after the language was changed", got)
		}
		kerneltest.Rest(GoodLasts)
		if list := n.List(); len(list) != 1 || list[0].Key != "camera" {
			t.Errorf("notices %+v, want the one about the camera", list)
		}
		n.Post(EngineRestarted(1))
		n.Stay(n.List()[1].Key)
		kerneltest.Rest(2 * GoodLasts)
		if len(n.List()) != 2 {
			t.Errorf("notices %+v, want the one that stays", n.List())
		}
		n.Dismiss(n.List()[1].Key)
		n.Dismiss("camera")
		cancel()
		n.Dismiss("camera")
		if got := fmt.Sprint(n.List()); got != "[]" || told.Load() != 10 {
			t.Errorf("notices %s, told %d times", got, told.Load())
		}
	})
}
