//go:build !js

package teach_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// The capture button is held with the space bar or Enter, like with a pointer.
func TestCaptureByKeyboard(t *testing.T) {
	s := studiotest.Open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.StartCamera()
	s.Focus(studiotest.Card(2) + " .capture")
	for i, k := range []struct {
		key, code string
		number    int64
	}{{" ", "Space", 32}, {"Enter", "Enter", 13}} {
		before := s.Count(studiotest.Card(2) + " .thumbnail")
		s.Key(input.DispatchKeyEventTypeKeyDown, k.key, k.code, k.number)
		s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length >= %d", studiotest.Card(2)+" .thumbnail", before+3))
		s.Key(input.DispatchKeyEventTypeKeyUp, k.key, k.code, k.number)
		s.WaitFor(`!document.querySelector(".card.held")`)
		// One example may be in the queue, but no more.
		after := s.Count(studiotest.Card(2) + " .thumbnail")
		s.Frames(40)
		if got := s.Count(studiotest.Card(2) + " .thumbnail"); got > after+1 {
			t.Errorf("key %d: %d examples were taken after it was let go", i, got-after)
		}
	}
	// a click without a pointer, as from assistive technology
	before := s.Count(".thumbnail")
	s.Eval(fmt.Sprintf("document.querySelector(%q).click()", studiotest.Card(2)+" .capture"))
	s.WaitCount(".thumbnail", before+1)
	s.Quiet()
}
