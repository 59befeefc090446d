//go:build !js

package teach_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Ctrl+Z reverts one action: files that were added together, even while others arrive; one hold of
// a button; a class with all its examples.
func TestUndoTakesBackOneAct(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t), Timeout: 2 * time.Minute})
	s.Ready()
	undo := func() { s.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(2))) }
	first, second := studiotest.Card(1)+" .thumbnail", studiotest.Card(2)+" .thumbnail"

	s.Drop(studiotest.Card(1), files(t, 12)...)
	s.Drop(studiotest.Card(2), files(t, 12)...)
	s.WaitCount(".thumbnail", 24)
	undo()
	s.WaitCount(second, 0)
	s.WaitCount(first, 12)
	undo()
	s.WaitCount(".thumbnail", 0)

	s.Drop(studiotest.Card(1), files(t, 100)...)
	s.WaitFor(fmt.Sprintf(`document.querySelectorAll(%q).length > 2`, first))
	undo()
	s.WaitCount(".thumbnail", 0)
	s.Drop(studiotest.Card(2), files(t, 3)...)
	s.WaitCount(second, 3)
	s.WaitCount(first, 0)

	s.StartCamera()
	s.Hold(1, 3)
	s.Eval(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Z", ctrlKey: true, bubbles: true }))`) // Caps Lock
	s.WaitCount(first, 0)
	s.WaitCount(second, 3)

	s.Click(studiotest.Card(2) + " .remove")
	s.WaitCount(".cards .card", 1)
	s.WaitFor(`document.querySelector('.message[data-key="undo"] .plain')`)
	s.WaitFor(`document.activeElement.matches(".remove")`)
	s.Shot("deleted")
	s.Click(`.message[data-key="undo"] .plain`)
	s.WaitCount(second, 3)
	s.WaitCount(".message", 0)
	s.WaitFor(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, studiotest.Card(2)+" .capture"))
	s.Quiet()
}
