//go:build !js

package studio_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// In small windows, the camera and the answer cover neither the focus, forwards and backwards, nor
// the target of the first stop.
func TestFocusIsNotCovered(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.StartCamera()
	s.Hold(1, 2)
	s.Hold(2, 2)
	s.Eval(`globalThis.covered = () => {
		const e = document.activeElement, look = document.querySelector(".look");
		if (!e || e === document.body) return "";
		const { left, top, width, height } = (e.closest(".file") ?? e).getBoundingClientRect();
		const over = document.elementFromPoint(left + width / 2, top + Math.min(height, 40) / 2);
		return look.contains(over) && !look.contains(e) ? e.getAttribute("aria-label") || e.innerText || e.className : "";
	}`)
	for _, size := range [][2]int{{375, 553}, {390, 844}, {568, 320}, {640, 400}, {844, 390}, {800, 1000}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			s.Window(size[0], size[1])
			for _, shift := range []chromedp.Modifier{0, chromedp.ModifierShift} {
				s.leaveFocus()
				if shift != 0 {
					s.Eval(`const all = document.querySelectorAll("footer a"); all[all.length - 1].focus()`)
				}
				for range 45 {
					s.Do(chromedp.KeyEvent("\t", chromedp.KeyModifiers(shift)))
					if got := browsertest.Eval[string](s.Browser, "covered()"); got != "" {
						t.Errorf("the focus is on %q, behind the picture (shift %d)", got, shift)
					}
				}
			}
			s.leaveFocus()
			s.pressTab()
			s.Keys("\r")
			s.Drawn()
			if top := browsertest.Eval[float64](s.Browser, `(() => {
				const look = document.querySelector(".look"), card = document.activeElement.querySelector(".card").getBoundingClientRect();
				const above = getComputedStyle(look).position === "sticky" && look.getBoundingClientRect().right > card.left;
				return card.top - (above ? look.offsetHeight : 0);
			})()`); top < -1 || top > 200 {
				t.Errorf("the first stop leads to classes that begin at %.0f", top)
			}
			s.Shot(fmt.Sprintf("skipped-%d", size[0]))
		})
	}
}

// Icons and buttons are on the line of their words.
func TestNothingStandsAlone(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.StartCamera()
	s.Hold(1, 2)
	s.Hold(2, 2)
	s.Eval(`const e = document.querySelector("#show-why"); if (e.getAttribute("aria-expanded") !== "true") e.click()`)
	s.WaitFor(`document.querySelector(".why .acts") && document.querySelector(".why .alike")`)
	for _, width := range []int{320, 390, 640, 719, 720, 859, 1280} {
		s.Window(width, 844)
		s.Drawn()
		for _, pair := range [][2]string{{"footer .icon", "footer .icon + span"}, {"#why-title", "#show-why"}} {
			if browsertest.Eval[bool](s.Browser, fmt.Sprintf(`(() => {
				const [a, b] = [%q, %q].map((e) => document.querySelector(e).getBoundingClientRect());
				return a.bottom <= b.top || b.bottom <= a.top;
			})()`, pair[0], pair[1])) {
				t.Errorf("%s and %s are on two lines at %d px", pair[0], pair[1], width)
			}
		}
		s.Eval(`document.querySelector("#show-why").scrollIntoView({ block: "center" })`)
		s.Shot(fmt.Sprintf("alone-why-%d", width))
		s.Eval(`scrollTo(0, document.body.scrollHeight)`)
		s.Shot(fmt.Sprintf("alone-foot-%d", width))
	}
}
