//go:build !js

package wasm_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// newElement opens a page with a <deep-emd> of the given markup, in a browser with
// a camera: Chromium's own, whose picture changes all the time.
func newElement(t *testing.T, markup string) (*site, *browsertest.Browser) {
	t.Helper()
	s := serve(t)
	b := browsertest.Start(t, browsertest.Options{Flags: map[string]any{
		"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": true,
	}})
	b.Open(s.URL + "/test/")
	b.WaitFor("window.loaded", 20*time.Second)
	browsertest.Eval[any](b, fmt.Sprintf(`(async () => {
		await import("/deepemd/element.js");
		window.events = [];
		document.body.insertAdjacentHTML("beforeend", %q);
		window.element = document.querySelector("deep-emd");
		for (const type of ["ready", "answer", "example", "error"]) {
			element.addEventListener(type, (event) => events.push({ type, detail: event.detail }));
		}
		window.shadow = element.shadowRoot;
		window.row = (label) => shadow.querySelector('[data-class="' + label + '"]');

	})()`, strings.ReplaceAll(markup, "SMALL", "/weights/small.safetensors")))
	return s, b
}

// As a person uses it: start the camera, hold the buttons, read the answer, stop.
func TestElement(t *testing.T) {
	_, b := newElement(t, `<deep-emd camera weights="SMALL" classes="cup, pen"><b>nothing yet</b></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`, 20*time.Second)
	if got := browsertest.Eval[string](b, `element.classes.join() + " " + shadow.querySelector("button").disabled + row("cup").querySelector("button").disabled`); got != "cup,pen falsetrue" {
		t.Errorf("at first %q", got)
	}
	b.Do(chromedp.Click(chromedp.JSPath(`document.querySelector("deep-emd").shadowRoot.querySelector("[part=button]")`)))
	b.WaitFor(`shadow.querySelector("video").videoWidth > 0 && !shadow.querySelector("video").hidden`, 20*time.Second)
	for _, label := range []string{"cup", "pen"} {
		at := browsertest.Eval[[]float64](b, fmt.Sprintf(`(() => { const r = row(%q).querySelector("button").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, label))
		b.Do(chromedp.MouseEvent("mousePressed", at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
		b.WaitFor(fmt.Sprintf(`Number(row(%q).querySelector(".count").textContent) >= 3`, label), 20*time.Second)
		if !browsertest.Eval[bool](b, fmt.Sprintf(`row(%q).querySelector("button").ariaPressed === "true"`, label)) {
			t.Errorf("the button of %s does not look pressed", label)
		}
		b.Do(chromedp.MouseEvent("mouseReleased", at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
		b.WaitFor(fmt.Sprintf(`row(%q).querySelector("button").ariaPressed === "false"`, label), 5*time.Second)
	}
	// Held no more, nothing is taught any more.
	taught := `events.filter((e) => e.type === "example").length`
	time.Sleep(300 * time.Millisecond)
	n := browsertest.Eval[int](b, taught)
	b.WaitFor(`events.filter((e) => e.type === "answer" && e.detail.scores.length === 2).length >= 5`, 20*time.Second)
	if now := browsertest.Eval[int](b, taught); now != n || n < 6 {
		t.Errorf("%d examples while buttons were held, %d a little later", n, now)
	}
	shown := browsertest.Eval[[]string](b, `(async () => {
		const { scores } = await element.classify();
		const best = scores[0];
		return [best.label, shadow.querySelector("[part=answer]").value, shadow.querySelector(".best .label").textContent,
			row(best.label).querySelector(".percent").textContent, Math.round(100 * best.score) + "%"];
	})()`)
	if shown[0] != shown[1] || shown[0] != shown[2] || shown[3] != shown[4] {
		t.Errorf("best, shown as answer, in the list, its percentage, as it should be: %q", shown)
	}
	if dir := os.Getenv("DEEPEMD_SCREENSHOTS"); dir != "" {
		b.Screenshot(filepath.Join(dir, "element.png"))
	}
	// What is none of the classes is said to be none.
	stranger := browsertest.Eval[[]string](b, `(async () => {
		await (await element.engine).configure({ strictness: 1 });
		const { unknown } = await element.classify(plain(20, 250, 30));
		const name = (part) => shadow.querySelector("[part=" + part + "]");
		return [String(unknown.unknown), name("answer").value, String(name("unknown").hidden), name("unknown").textContent, String(shadow.querySelector(".best"))];
	})()`)
	if want := []string{"true", "", "false", "Unknown", "null"}; !slices.Equal(stranger, want) {
		t.Errorf("of a stranger is shown %q, want %q", stranger, want)
	}

	// It may be moved; it ends when it is taken out, and begins anew when it is back.
	if !browsertest.Eval[bool](b, `(async () => {
		const before = await element.engine;
		document.body.prepend(element);
		await new Promise((resolve) => setTimeout(resolve, 50));
		return (await element.engine) === before;
	})()`) {
		t.Error("an element that was moved has another engine")
	}
	gone := browsertest.Eval[[]failure](b, `(async () => {
		const engine = await element.engine, track = shadow.querySelector("video").srcObject.getTracks()[0];
		element.remove();
		await new Promise((resolve) => setTimeout(resolve, 50));
		const used = await failure(engine.addClass("x")), asked = await failure(element.classify(plain(0, 0, 0)));
		const camera = { code: track.readyState, message: String(shadow.querySelector("video").srcObject) };
		document.body.append(element);
		await element.teach("cup", plain(250, 0, 0));
		const again = { code: String((await element.classify(plain(250, 0, 0))).scores.length), message: "" };
		return [used, asked, camera, again];
	})()`)
	for i, want := range []string{"disposed", "disposed", "ended", "1"} {
		if gone[i].Code != want {
			t.Errorf("step %d after it was taken out: %+v, want %s", i, gone[i], want)
		}
	}
	b.NoProblems()
}

// Without a camera: pictures in the page teach it, methods ask it, attributes change
// it, and what fails is said by an event, in the element, and to the caller.
func TestElementWithoutCamera(t *testing.T) {
	pictures := ""
	for label, seed := range map[string]int{"wave": 1, "ripple": 2} {
		pictures += fmt.Sprintf(`<img data-class=%q src="data:image/png;base64,%s">`, label, base64.StdEncoding.EncodeToString(pngFile(t, texture(seed))))
	}
	_, b := newElement(t, `<deep-emd weights="SMALL">`+pictures+`<img data-class="broken" src="data:image/png;base64,AAAA"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`, 20*time.Second)
	got := browsertest.Eval[struct {
		Classes, After   []string
		Label, Why, Like string
		Count            string
		Hidden           bool
		Broken           []string
		Bad, Off, Nobody failure
		Message          string
	}](b, `(async () => {
		const hidden = shadow.querySelector("[part=button]").hidden;
		const broken = events.filter((e) => e.type === "error").map((e) => e.detail.code);
		const source = document.querySelector("deep-emd img[data-class=wave]");
		const answer = await element.classify(source);
		const classes = element.classes, count = row("wave").querySelector(".count").textContent;
		const why = await element.explain(), like = await element.explain({ label: "ripple" });
		const nobody = await failure(element.explain({ label: "cup" })), off = await failure(element.classify());
		const bad = await failure(element.teach("wave", new Blob(["no picture"])));
		const message = shadow.querySelector("[part=message]").textContent;
		element.setAttribute("classes", "wave, other");
		await new Promise((resolve) => setTimeout(resolve, 100));
		const engine = await element.engine;
		return { hidden, broken, classes, count, label: answer.scores[0].label, why: why.label, like: like.label, nobody, off, bad, message,
			after: [...element.classes, ...engine.classes.map((c) => c.label)] };
	})()`)
	if !got.Hidden || !slices.Equal(got.Broken, []string{"bad-image"}) {
		t.Errorf("camera's button hidden: %v, errors %v, want one bad image", got.Hidden, got.Broken)
	}
	if slices.Sort(got.Classes); !slices.Equal(got.Classes, []string{"broken", "ripple", "wave"}) || got.Count != "1" {
		t.Errorf("classes %v, %s examples of one", got.Classes, got.Count)
	}
	if got.Label != "wave" || got.Why != "wave" || got.Like != "ripple" {
		t.Errorf("a wave is a %s, because of %s and %s", got.Label, got.Why, got.Like)
	}
	got.Nobody.check(t, "unknown-class", "cup", "ripple")
	got.Off.check(t, "bad-image", "camera is off")
	got.Bad.check(t, "bad-image", "not a picture")
	if got.Message != got.Bad.Message {
		t.Errorf("the element says %q, the error %q", got.Message, got.Bad.Message)
	}
	if !slices.Equal(got.After, []string{"wave", "other", "wave"}) {
		t.Errorf("after the attribute changed: %v", got.After)
	}
	failed := browsertest.Eval[failure](b, `(async () => {
		events.length = 0;
		element.setAttribute("weights", "/nowhere.safetensors");
		const first = await failure(element.engine);
		if (!events.some((e) => e.type === "error" && e.detail.code === first.code)) return { code: "no event", message: "" };
		element.setAttribute("weights", small);
		await element.engine;
		return first;
	})()`)
	failed.check(t, "network", "nowhere")
}

// The example page: the picker asks the element, which answers.
func TestElementExample(t *testing.T) {
	folders := []string{"n02123394", "n04487081"} // Persian cat, trolleybus
	pictures := samples(t, folders, 3)
	s := serve(t)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(s.URL + "/examples/element/")
	b.WaitFor(`customElements.get("deep-emd")`, 20*time.Second)
	b.Do(chromedp.SetUploadFiles(chromedp.CSS("#query"), pictures[folders[0]][:1]))
	b.WaitFor(`document.querySelector("#log").textContent.includes("no examples yet")`, 30*time.Second)
	b.Do(chromedp.Click(chromedp.JSPath(`document.querySelector("deep-emd").shadowRoot.querySelector("[part=button]")`)))
	b.WaitFor(`document.querySelector("#log").textContent.includes("camera")`, 20*time.Second) // there is none
	browsertest.Eval[any](b, `(() => {
		const input = Object.assign(document.createElement("input"), { type: "file", id: "lesson", multiple: true });
		input.onchange = async () => {
			const element = document.querySelector("deep-emd");
			for (const [i, file] of Array.from(input.files).entries()) await element.teach(["cup", "pen"][i >> 1], file);
			input.dataset.done = "";
		};
		document.body.append(input);
	})()`)
	b.Do(chromedp.SetUploadFiles(chromedp.CSS("#lesson"), append(pictures[folders[0]][:2:2], pictures[folders[1]][:2]...)))
	b.WaitFor(`document.querySelector("#lesson").dataset.done === ""`, 30*time.Second)
	b.Do(chromedp.SetUploadFiles(chromedp.CSS("#query"), pictures[folders[1]][2:3]))
	b.WaitFor(`/^pen \d+%, cup \d+%$/.test(document.querySelector("#log").textContent)`, 20*time.Second)
	if dir := os.Getenv("DEEPEMD_SCREENSHOTS"); dir != "" {
		b.Screenshot(filepath.Join(dir, "element-example.png"))
	}
}
