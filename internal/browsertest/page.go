package browsertest

import (
	"context"
	"fmt"
)

// Click presses and releases the left mouse button on an element once it stops moving, and again if
// the element moved away in between.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	for range 10 {
		b.Press(selector)()
		// WebDriver may report the release before the page handles it.
		if !b.Is(`(async () => {
			for (let i = 0; i < 20 && globalThis.testClick === "awaited"; i++) await new Promise((next) => setTimeout(next, 10));
			return globalThis.testClick === "awaited"; // not even in a page that it opened
		})()`) {
			return
		}
	}
	b.t.Fatalf("%s is clicked, and does not notice", selector)
}

// aim is a script that waits until an element is enabled, visible and stops moving, and sets
// testAim to its center, or to the center of its first line. The page then records whether the
// element is clicked.
const aim = `(async () => {
	const first = document.querySelector(%[1]q);
	if (!first) return false;
	const at = () => JSON.stringify(document.querySelector(%[1]q)?.getBoundingClientRect());
	const middle = (element) => {
		const [r] = element.getClientRects();
		return r && [r.x + r.width / 2, r.y + r.height / 2];
	};
	const seen = middle(first);
	const hit = seen && document.elementFromPoint(...seen);
	// It is out of sight, or a bar that stays at the edge of the window covers it.
	if (!hit?.closest(%[1]q)) first.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
	const before = at();
	for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
	const element = document.querySelector(%[1]q);
	if (!element?.checkVisibility() || element.disabled || element.ariaDisabled === "true" || before !== at()) return false;
	globalThis.testAim = middle(element);
	globalThis.testClick = "awaited";
	addEventListener("click", (event) => { // the element may be drawn again
		if (event.composedPath().some((node) => node.matches?.(%[1]q))) globalThis.testClick = "noticed";
	}, { capture: true, once: true });
	return Boolean(testAim);
})()`

// Press presses the left mouse button on an element once it stops moving; release releases it.
func (b *Browser) Press(selector string) (release func()) {
	b.t.Helper()
	b.WaitFor(fmt.Sprintf(aim, selector))
	at := Eval[[]float64](b, "testAim")
	b.must(b.pointer(b.ctx, true, at[0], at[1]), "pressing "+selector)
	return func() {
		b.t.Helper()
		b.must(b.pointer(b.ctx, false, at[0], at[1]), "releasing "+selector)
	}
}

// Keys types text at the focus; \r is Enter.
func (b *Browser) Keys(text string) {
	b.t.Helper()
	b.must(b.keys(b.ctx, text), "typing "+text)
}

// Type types a new text into a field, and Enter.
func (b *Browser) Type(selector, text string) {
	b.t.Helper()
	b.Click(selector)
	b.Eval(fmt.Sprintf("document.querySelector(%q).select()", selector))
	b.Keys(text + "\r")
}

// Focus moves the focus to an element, once it exists.
func (b *Browser) Focus(selector string) { b.t.Helper(); b.with(selector, "focus()") }

// ScrollTo scrolls to an element, once it exists.
func (b *Browser) ScrollTo(selector string) {
	b.t.Helper()
	b.with(selector, `scrollIntoView({ block: "center", behavior: "instant" })`)
}

// Upload selects files in an input of the page, once it exists.
func (b *Browser) Upload(selector string, paths ...string) {
	b.t.Helper()
	b.with(selector, "matches('input')")
	b.must(b.files(b.ctx, selector, paths), "choosing files in "+selector)
}

// with calls a method of an element, once it exists.
func (b *Browser) with(selector, method string) {
	b.t.Helper()
	b.WaitFor(fmt.Sprintf("(() => { const element = document.querySelector(%q); element?.%s; return element; })()", selector, method))
}

type object = map[string]any

// webdriver performs input actions, which are the same in both WebDriver protocols.
type webdriver func(ctx context.Context, actions []object) error

func (webdriver) leaving(error) bool { return true }

// pointer moves the mouse first.
func (perform webdriver) pointer(ctx context.Context, press bool, x, y float64) error {
	kind := "pointerUp"
	if press {
		kind = "pointerDown"
	}
	return perform(ctx, []object{{"type": "pointer", "id": "mouse", "parameters": object{"pointerType": "mouse"}, "actions": []object{
		{"type": "pointerMove", "x": int(x), "y": int(y), "origin": "viewport"},
		{"type": kind, "button": 0},
	}}})
}

func (perform webdriver) keys(ctx context.Context, text string) error {
	const enter = '\ue007'
	var actions []object
	for _, r := range text {
		if r == '\r' {
			r = enter
		}
		actions = append(actions, object{"type": "keyDown", "value": string(r)}, object{"type": "keyUp", "value": string(r)})
	}
	return perform(ctx, []object{{"type": "key", "id": "keyboard", "actions": actions}})
}
