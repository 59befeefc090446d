//go:build !js

package element_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/internal/wasmtest"
)

func TestMain(m *testing.M) { testsite.Main(m) }

// newElement opens a page with a <deep-emd> of the given markup, in a browser with
// a camera: Chromium's own, whose picture changes all the time.
func newElement(t *testing.T, markup string) (*wasmtest.Site, *browsertest.Browser) {
	t.Helper()
	s := wasmtest.Serve(t)
	b := browsertest.Start(t, browsertest.Options{Flags: map[string]any{
		"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": true,
	}})
	b.Open(s.URL + "/test/")
	b.WaitFor("window.loaded")
	browsertest.Eval[any](b, fmt.Sprintf(`(async () => {
		await import("/deepemd/element.js");
		window.events = [];
		document.body.insertAdjacentHTML("beforeend", %q);
		window.element = document.querySelector("deep-emd");
		for (const type of ["ready", "progress", "prediction", "change", "error", "save"]) {
			element.addEventListener(type, (event) => events.push({ type, detail: event.detail }));
		}
		window.shadow = element.shadowRoot;
		window.row = (label) => shadow.querySelector('[data-class="' + label + '"]');
		window.count = (label) => Number(row(label)?.querySelector(".count").textContent);
		window.settled = () => new Promise((resolve) => setTimeout(resolve, 50));
	})()`, strings.ReplaceAll(markup, "SMALL", "/weights/small.safetensors")))
	return s, b
}

// Use the element like a visitor: start the camera, hold the buttons, read the answer, stop.
func TestElement(t *testing.T) {
	_, b := newElement(t, `<deep-emd camera weights="SMALL" classes="cup, pen"><b>nothing yet</b></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	if got := browsertest.Eval[string](b, `element.classes.join() + " " + shadow.querySelector("button").disabled + row("cup").querySelector("button").disabled`); got != "cup,pen falsetrue" {
		t.Errorf("at first %q", got)
	}
	b.Do(chromedp.Click(chromedp.JSPath(`document.querySelector("deep-emd").shadowRoot.querySelector("[part=button]")`)))
	b.WaitFor(`shadow.querySelector("video").videoWidth > 0 && !shadow.querySelector("video").hidden`)
	for _, label := range []string{"cup", "pen"} {
		at := browsertest.Eval[[]float64](b, fmt.Sprintf(`(() => { const r = row(%q).querySelector("button").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, label))
		b.Do(chromedp.MouseEvent("mousePressed", at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
		b.WaitFor(fmt.Sprintf(`Number(row(%q).querySelector(".count").textContent) >= 3`, label))
		if !browsertest.Eval[bool](b, fmt.Sprintf(`row(%q).querySelector("button").ariaPressed === "true"`, label)) {
			t.Errorf("the button of %s does not look pressed", label)
		}
		b.Do(chromedp.MouseEvent("mouseReleased", at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
		b.WaitFor(fmt.Sprintf(`row(%q).querySelector("button").ariaPressed === "false"`, label))
	}
	// Held no more, nothing is taught any more.
	taught := `events.filter((e) => e.type === "change" && e.detail.action === "teach").length`
	answers := `events.filter((e) => e.type === "prediction").length`
	// Answers that were under way when the button was released arrive before the third one.
	b.WaitFor(fmt.Sprintf("%s >= %d", answers, browsertest.Eval[int](b, answers)+3))
	n := browsertest.Eval[int](b, taught)
	b.WaitFor(fmt.Sprintf("%s >= %d", answers, browsertest.Eval[int](b, answers)+5))
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
		return [String(unknown.unknown), name("answer").value, String(name("unknown").hidden), name("unknown").textContent,
			shadow.querySelector(".best .label").textContent, String(shadow.querySelector(".best .percent").textContent === Math.round(100 * (1 - unknown.known)) + "%")];
	})()`)
	if want := []string{"true", "", "false", "Unknown", "Unknown", "true"}; !slices.Equal(stranger, want) {
		t.Errorf("of a stranger is shown %q, want %q", stranger, want)
	}

	// The element may be moved in the page. It stops when it is removed, and keeps its classes when
	// it returns.
	if !browsertest.Eval[bool](b, `(async () => {
		const before = await element.engine;
		document.body.prepend(element);
		await new Promise((resolve) => setTimeout(resolve, 50));
		return (await element.engine) === before;
	})()`) {
		t.Error("an element that was moved has another engine")
	}
	gone := browsertest.Eval[[]wasmtest.Failure](b, `(async () => {
		const engine = await element.engine, track = shadow.querySelector("video").srcObject.getTracks()[0];
		const before = count("cup") + count("pen"), sure = (await engine.classify(plain(20, 250, 30))).scores[0];
		element.remove();
		await settled();
		const used = await failure(engine.addClass("x")), asked = await failure(element.classify(plain(0, 0, 0)));
		const camera = { code: track.readyState, message: String(shadow.querySelector("video").srcObject) };
		document.body.append(element);
		const answer = await element.classify(plain(20, 250, 30)), now = count("cup") + count("pen");
		const again = { code: String(now - before), message: String(before) };
		const same = { code: String((await element.engine) !== engine && answer.scores.length === 2 && answer.scores[0].label === sure.label && Math.abs(answer.scores[0].logit - sure.logit) < 0.01), message: JSON.stringify([sure, answer.scores]) };
		return [used, asked, camera, again, same];
	})()`)
	for i, want := range []string{"disposed", "disposed", "ended", "0", "true"} {
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
		pictures += fmt.Sprintf(`<img data-class=%q src="data:image/png;base64,%s">`, label, base64.StdEncoding.EncodeToString(wasmtest.PNG(t, wasmtest.Texture(seed))))
	}
	_, b := newElement(t, `<deep-emd weights="SMALL">`+pictures+`<img data-class="broken" src="data:image/png;base64,AAAA"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	got := browsertest.Eval[struct {
		Classes, After   []string
		Fixed            []string
		Label, Why, Like string
		Count            string
		Hidden           bool
		Broken           []string
		Bad, Off, Nobody wasmtest.Failure
		Wrong, Named     wasmtest.Failure
		Message, Detail  string
	}](b, `(async () => {
		const hidden = shadow.querySelector("[part=button]").hidden;
		const broken = events.filter((e) => e.type === "error").map((e) => e.detail.code);
		const source = document.querySelector("deep-emd img[data-class=wave]");
		const answer = await element.classify(source);
		const classes = element.classes, count = row("wave").querySelector(".count").textContent;
		const why = await element.explain(), like = await element.explain({ label: "ripple" });
		const nobody = await failure(element.explain({ label: "cup" })), off = await failure(element.classify());
		const bad = await failure(element.teach("wave", new Blob(["no picture"])));
		const { textContent: message, title: detail } = shadow.querySelector("[part=message]");
		document.querySelector("deep-emd img[data-class=broken]").remove();
		await new Promise((resolve) => setTimeout(resolve, 100));
		const fixed = [...element.classes, shadow.querySelector("[part=message]").textContent];
		const wrong = await failure(element.explain({ class: "ripple" })), named = await failure(element.save("cups"));
		element.setAttribute("classes", "wave, other");
		await new Promise((resolve) => setTimeout(resolve, 100));
		const engine = await element.engine;
		return { hidden, broken, classes, count, label: answer.scores[0].label, why: why.label, like: like.label, nobody, off, bad, wrong, named, message, detail, fixed,
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
	got.Nobody.Check(t, "unknown-class", "cup", "ripple")
	got.Off.Check(t, "bad-image", "camera is off")
	got.Wrong.Check(t, "bad-argument", "label")
	got.Named.Check(t, "bad-argument", "name")
	if slices.Sort(got.Fixed); !slices.Equal(got.Fixed, []string{"", "ripple", "wave"}) {
		t.Errorf("without the broken picture, classes and message are %q", got.Fixed)
	}
	got.Bad.Check(t, "bad-image", "not a picture")
	if !strings.HasPrefix(got.Message, "The page cannot read this as a picture") || got.Detail != got.Bad.Message {
		t.Errorf("the element says %q and %q, the error %q", got.Message, got.Detail, got.Bad.Message)
	}
	if !slices.Equal(got.After, []string{"wave", "other", "wave"}) {
		t.Errorf("after the attribute changed: %v", got.After)
	}
	failed := browsertest.Eval[wasmtest.Failure](b, `(async () => {
		events.length = 0;
		element.setAttribute("weights", "/nowhere.safetensors");
		const first = await failure(element.engine);
		if (!events.some((e) => e.type === "error" && e.detail.code === first.code)) return { code: "no event", message: "" };
		element.setAttribute("weights", small);
		await element.engine;
		return first;
	})()`)
	failed.Check(t, "network", "nowhere")
}

// A failed call of teach changes nothing: no row, class or event stays, and the element can save.
func TestElementTeachesWholly(t *testing.T) {
	_, b := newElement(t, `<deep-emd weights="SMALL" classes="pen"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	got := browsertest.Eval[struct {
		None, Long, Half, Bad, Declared wasmtest.Failure
		After, Classes, Changes         []string
		Size                            int
	}](b, `(async () => {
		const draw = (hue) => {
			const canvas = new OffscreenCanvas(40, 40), context = canvas.getContext("2d");
			context.fillStyle = "hsl(" + hue + " 80% 50%)";
			context.fillRect(5, 5, 30, 20);
			return canvas;
		};
		const bad = new Blob(["no picture"]), engine = await element.engine;
		const none = await failure(element.teach(undefined, draw(0))), long = await failure(element.teach("x".repeat(1001), draw(0)));
		const half = await failure(element.teach("cup \ud83e", draw(0)));
		const spoiled = await failure(element.teach("cup", bad)), declared = await failure(element.teach("pen", bad));
		const labels = () => [...element.classes, ...engine.classes.map((c) => c.label + c.examples.length)];
		const after = labels();
		const { size } = await element.save();
		await Promise.allSettled([element.teach("cup", bad), element.teach("cup", draw(90)), element.teach("cup", bad)]);
		await failure(element.teach("cup", bad));
		const changes = events.filter((e) => e.type === "change").map((e) => e.detail.action + " " + e.detail.label);
		return { none, long, half, bad: spoiled, declared, after, size, classes: labels(), changes };
	})()`)
	got.None.Check(t, "bad-argument", "label is undefined")
	got.Long.Check(t, "bad-argument", "1001 characters")
	got.Half.Check(t, "bad-argument", "surrogate")
	got.Bad.Check(t, "bad-image", "not a picture")
	got.Declared.Check(t, "bad-image", "not a picture")
	if !slices.Equal(got.After, []string{"pen"}) || got.Size == 0 {
		t.Errorf("after failures %v, and a project of %d bytes", got.After, got.Size)
	}
	if !slices.Equal(got.Classes, []string{"pen", "cup", "pen0", "cup1"}) || !slices.Equal(got.Changes, []string{"add-class cup", "teach cup"}) {
		t.Errorf("classes %v, changes %v", got.Classes, got.Changes)
	}
}

// Frameworks set properties before the element is defined, before it is in the page and
// after; attributes say the same.
func TestElementSettings(t *testing.T) {
	s := wasmtest.Serve(t)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(s.URL + "/test/")
	b.WaitFor("window.loaded")
	got := browsertest.Eval[map[string]any](b, `(async () => {
		const settled = () => new Promise((resolve) => setTimeout(resolve, 50));
		const early = document.createElement("deep-emd");
		early.classes = ["salt, sea", "pepper"];
		early.method = { classifier: "nearest" };
		early.setAttribute("strictness", "0.7");
		early.weights = new URL(small, location.href);
		early.options = { timeout: 30000 };
		const errors = [], changes = [], ready = next(early, "ready");
		early.addEventListener("error", (event) => errors.push(event.detail.code + ": " + event.detail.message));
		early.addEventListener("change", (event) => changes.push(event.detail.action));
		await import("/deepemd/element.js");
		document.body.append(early);
		await ready;
		const engine = await early.engine, out = {};
		out.upgraded = [early.classes.join("|"), engine.method.classifier, engine.method.strangers.strictness, JSON.stringify(early.options)].join();
		out.reflected = [early.getAttribute("classes"), early.getAttribute("method"), early.getAttribute("weights") === location.origin + small].join();

		// Between construction and document, like a framework.
		const element = document.createElement("deep-emd");
		element.classes = "cup, pen";
		element.weights = small;
		element.temperature = 20;
		element.balance = false;
		element.embedder = "grid";
		element.camera = "";
		document.body.append(element);
		element.workers = 2; // after, in the same task: one start
		const starts = [];
		element.addEventListener("ready", () => starts.push(1));
		const made = await element.engine;
		out.made = [made.method.temperature, made.method.balance, made.method.embedder.kind, made.info.workers, element.camera, element.temperature].join();
		out.attributes = ["temperature", "balance", "embedder", "camera", "workers"].map((name) => element.getAttribute(name)).join();

		// Method's settings are told to the engine, which goes on.
		element.setAttribute("classifier", "cosine");
		element.balance = null;
		element.embedder = { kind: "fcn", pyramid: [2] };
		element.workers = undefined;
		await next(element, "change");
		out.told = [(await element.engine) === made, made.method.classifier, made.method.balance, made.method.embedder.kind + made.method.embedder.pyramid, element.hasAttribute("balance")].join();
		element.embedder = null;
		element.removeAttribute("classifier");
		element.strictness = 0.9;
		await next(element, "change");
		out.withdrawn = [made.method.classifier, made.method.embedder.pyramid, made.method.strangers.strictness].join();

		// Setting again what is set is no change.
		const before = starts.length, told = [];
		element.addEventListener("change", (event) => told.push(event.detail.action));
		element.classes = ["cup", "pen"];
		element.weights = small;
		element.strictness = "0.9";
		await settled();
		out.idle = [(await element.engine) === made, starts.length - before, told.length].join();

		// Another network: the examples are taught again, from their pictures.
		await element.teach("cup", plain(250, 20, 20));
		await element.teach("pen", plain(20, 20, 250));
		await element.teach("cup", plain(200, 20, 20));
		const weights = await (await fetch(small)).arrayBuffer();
		element.weights = weights;
		const other = await element.engine;
		const { scores } = await element.classify(plain(20, 20, 250));
		out.over = [other !== made, element.weights === weights, element.hasAttribute("weights"), scores[0].label, other.classes.map((c) => c.label + c.examples.length)].join();

		// What means nothing is said, and stops nothing.
		early.temperature = "hot";
		early.setAttribute("classes", "[1]");
		early.setAttribute("method", "{");
		early.classifier = "oracle";
		early.classes = {};
		await settled();
		await (await early.engine).configure({});
		out.goes = [(await early.engine) === engine, early.temperature, early.classes.join("|")].join();
		return { ...out, errors: errors.sort() };
	})()`)
	for name, want := range map[string]string{
		"upgraded":   `salt, sea|pepper,nearest,0.7,{"timeout":30000}`,
		"reflected":  `["salt, sea","pepper"],{"classifier":"nearest"},true`,
		"made":       "20,false,grid,2,true,20",
		"attributes": "20,false,grid,,2",
		"told":       "true,cosine,true,fcn2,false",
		"withdrawn":  "mixture,,0.9",
		"idle":       "true,0,0",
		"over":       "true,true,false,pen,cup2,pen1",
		"goes":       "true,,salt, sea|pepper",
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %s", name, got[name], want)
		}
	}
	errors := fmt.Sprint(got["errors"])
	for _, want := range []string{`temperature="hot": want a number`, `classes="[object Object]": want names`, `method="{": want JSON`, "oracle"} {
		if !strings.Contains(errors, want) {
			t.Errorf("no error says %q: %s", want, errors)
		}
	}
	b.NoProblems()
}

// Children declare classes and examples, at any time.
func TestElementContent(t *testing.T) {
	picture := func(seed int) string {
		return "data:image/png;base64," + base64.StdEncoding.EncodeToString(wasmtest.PNG(t, wasmtest.Texture(seed)))
	}
	_, b := newElement(t, fmt.Sprintf(`<deep-emd weights="SMALL" classes="other">
		<deep-emd-class name="salt, sea"><img src=%q><img src=%q></deep-emd-class>
		<deep-emd-class name="pepper"><img src=%q></deep-emd-class>
		<deep-emd-class name="empty"></deep-emd-class>
	</deep-emd>`, picture(1), picture(4), picture(2)))
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	got := browsertest.Eval[[]string](b, fmt.Sprintf(`(async () => {
		const engine = await element.engine, said = [];
		const state = () => said.push(element.classes.map((label) => label + count(label)).join("|"));
		const until = async (condition) => { while (!condition()) await settled(); await settled(); state(); };
		state();
		const like = document.querySelectorAll("deep-emd img")[1];
		said.push((await element.classify(like)).scores[0].label, getComputedStyle(document.querySelector("deep-emd-class")).display);
		const [salt, pepper, empty] = document.querySelectorAll("deep-emd-class");
		empty.insertAdjacentHTML("beforeend", '<img src=%q>');
		await until(() => count("empty") === 1);
		pepper.setAttribute("name", "mill");
		await until(() => engine.classes.some((c) => c.label === "mill"));
		like.remove();
		await until(() => count("salt, sea") === 1);
		salt.remove();
		await until(() => !engine.classes.some((c) => c.label === "salt, sea"));
		element.classes = ["other", "another"];
		await until(() => element.classes.length === 4);
		said.push(engine.classes.map((c) => c.label).join("|"), events.filter((e) => e.type === "change").map((e) => e.detail.action).join());
		return said;
	})()`, picture(3)))
	want := []string{
		"other0|salt, sea2|pepper1|empty0", "salt, sea", "none",
		"other0|salt, sea2|pepper1|empty1", "other0|salt, sea2|mill1|empty1", "other0|salt, sea1|mill1|empty1",
		"other0|mill1|empty1", "other0|another0|mill1|empty1",
		"mill|empty", "teach,teach,teach,teach,rename-class,forget,remove-class",
	}
	if !slices.Equal(got, want) {
		t.Errorf("content is followed as\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	b.NoProblems()
}

// Examples outlive the element: in a file, and in the next element.
func TestElementProject(t *testing.T) {
	content := `<img data-class="ripple" src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(wasmtest.PNG(t, wasmtest.Texture(2))) + `">`
	_, b := newElement(t, `<deep-emd weights="SMALL" classes="wave, idle" classifier="nearest">`+content+`</deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	got := browsertest.Eval[map[string]any](b, fmt.Sprintf(`(async () => {
		const out = {}, sum = (engine) => engine.classes.map((c) => c.label + c.examples.length).join();
		for (let i = 0; i < 3; i++) await element.teach("wave", plain(200 + 20 * i, 20, 20));
		const picture = plain(210, 30, 20), sure = await element.classify(picture);
		const file = await element.save({ name: "Water" });
		// It is open already.
		const engine = await element.engine;
		element.project = file;
		await settled();
		out.open = [events.some((e) => e.type === "change" && e.detail.action === "open"), sum(engine)].join();
		// Something was taught since: now it goes back to the file.
		const { id } = await element.teach("more", plain(1, 2, 3));
		element.project = null;
		element.project = await file.arrayBuffer();
		await next(element, "change");
		out.back = [sum(engine), element.classes.join(), await failure(element.forget(id)).then((f) => f.code)].join();
		const kept = (await element.classify(picture)).scores;
		out.kept = kept[0].label + (Math.abs(kept[0].score - sure.scores[0].score) < 1e-6);

		// Taken out, it offers what it knows; a promise of it is a project.
		const saved = new Promise((resolve) => element.addEventListener("save", (event) => resolve(event.detail.save({ name: "Last" }))));
		let late;
		element.addEventListener("save", (event) => setTimeout(() => (late = failure(event.detail.save())), 10));
		element.remove();
		const heir = document.createElement("deep-emd");
		heir.innerHTML = %q;
		Object.assign(heir, { weights: small, project: saved, strictness: 0.9 });
		document.body.append(heir);
		const opened = await heir.engine;
		out.heir = [sum(opened), heir.classes.join(), opened.method.classifier, opened.method.strangers.strictness].join();
		const again = (await heir.classify(picture)).scores[0];
		out.same = again.label + (Math.abs(again.logit - sure.scores[0].logit) < 1e-6);
		await settled();
		out.late = (await late).code;

		// By its address, and what goes wrong with one.
		const third = document.createElement("deep-emd");
		const errors = [];
		third.addEventListener("error", (event) => errors.push(event.detail.code));
		third.setAttribute("weights", small);
		third.setAttribute("project", URL.createObjectURL(await saved));
		document.body.append(third);
		out.address = sum(await third.engine);
		third.project = Promise.resolve(null);
		await settled();
		third.setAttribute("project", "/nowhere.deepemd");
		await next(third, "error");
		third.project = new Blob(["a letter"]);
		await next(third, "error");
		out.errors = errors.join() + " " + sum(await third.engine);
		return out;
	})()`, content))
	for name, want := range map[string]string{
		"open": "false,ripple1,wave3,idle0", "back": "ripple1,wave3,idle0,wave,idle,ripple,unknown-example", "kept": "wavetrue",
		"heir": "ripple1,wave3,idle0,ripple,wave,idle,nearest,0.9", "same": "wavetrue", "late": "disposed",
		"address": "ripple1,wave3,idle0", "errors": "network,bad-project ripple1,wave3,idle0",
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %s", name, got[name], want)
		}
	}
	b.NoProblems("nowhere.deepemd", "404")
}

// Classes that are removed or renamed do not come back with the next engine.
func TestElementForgetsClassesBetweenEngines(t *testing.T) {
	_, b := newElement(t, `<deep-emd weights="SMALL"><deep-emd-class name="mill"></deep-emd-class></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	got := browsertest.Eval[[]string](b, `(async () => {
		const out = [], removed = [], labels = ["a", "b", "c", "d", "e"];
		element.addEventListener("change", ({ detail }) => detail.action === "remove-class" && removed.push(detail.label));
		const state = async () => {
			const engine = await element.engine;
			await settled();
			out.push(element.classes.map((label) => label + count(label)).join() + " " + engine.classes.map((c) => c.label + c.examples.length).join());
		};
		element.classes = labels;
		for (const label of [...labels, "mill"]) await element.teach(label, plain(40 * labels.indexOf(label) + 40, 20, 200));
		// Out of the document.
		element.remove();
		await settled();
		element.classes = ["a", "b", "c", "d"];
		element.firstElementChild.setAttribute("name", "pepper");
		document.body.append(element);
		await state();
		// Together with a change that restarts the engine.
		element.classes = ["a", "b", "c"];
		element.options = { timeout: 50_000 };
		await state();
		// During the start.
		element.options = { timeout: 40_000 };
		await new Promise((resolve) => element.addEventListener("progress", ({ detail }) => detail.stage === "examples" && detail.loaded === 2 && resolve()));
		element.classes = ["a", "c"];
		await state();
		element.classes = ["a"];
		await state();
		element.options = { timeout: 30_000 };
		await state();
		return [...out, removed.join()];
	})()`)
	want := []string{
		"a1,b1,c1,d1,pepper1 a1,b1,c1,d1,pepper1", "a1,b1,c1,pepper1 a1,b1,c1,pepper1",
		"a1,c1,pepper1 a1,c1,pepper1", "a1,pepper1 a1,pepper1", "a1,pepper1 a1,pepper1",
		"d,b,c", // of those removed in the document
	}
	if !slices.Equal(got, want) {
		t.Errorf("classes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	b.NoProblems()
}

// After a crash, the element is ready again.
func TestElementIsReadyAgain(t *testing.T) {
	_, b := newElement(t, `<deep-emd weights="SMALL" classes="cup"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	b.Eval(`element.engine.then((engine) => engine[crash]("panic")).catch(() => {})`)
	b.WaitFor(`events.filter((e) => e.type === "ready").length === 2`)
}

// An element that is removed while it starts cancels its downloads without an error.
func TestElementRemovedWhileStarting(t *testing.T) {
	begun, ended := make(chan bool, 8), make(chan bool, 8)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Length", "1000000")
		w.Write(make([]byte, 1000))
		w.(http.Flusher).Flush()
		begun <- true
		<-r.Context().Done()
		ended <- true
	}))
	t.Cleanup(slow.Close)
	_, b := newElement(t, `<deep-emd weights="`+slow.URL+`/slow.safetensors" classes="cup"></deep-emd>`)
	<-begun
	b.WaitFor(`events.some((e) => e.type === "progress" && e.detail.stage === "weights" && e.detail.loaded === 1000)`)
	// The size of these weights is unknown, so the engine moves the progress bar.
	b.WaitFor(`shadow.querySelector("[part=progress]").hidden === false`)
	// A network that is set while another loads becomes the engine's.
	b.Eval(`window.asked = element.engine; element.weights = "` + slow.URL + `/other.safetensors"`)
	<-ended
	<-begun
	b.Eval(`element.weights = small`)
	<-ended
	if got := browsertest.Eval[string](b, `asked.then((engine) => engine.info.name + events.filter((e) => e.type === "error").length)`); !strings.HasSuffix(got, "0") {
		t.Errorf("the engine that was asked for first, and errors: %s", got)
	}
	b.Eval(`element.weights = "` + slow.URL + `/third.safetensors"`)
	<-begun
	b.Eval(`element.remove()`)
	<-ended
	if got := browsertest.Eval[int](b, `settled().then(() => events.filter((e) => e.type === "error").length)`); got != 0 {
		t.Errorf("%d errors", got)
	}
	b.NoProblems()
}

// By keyboard and for screen readers: Space held teaches, an answer that has settled is
// read out once.
func TestElementByKeyboard(t *testing.T) {
	_, b := newElement(t, `<deep-emd camera weights="SMALL" classes="cup, pen"><span slot="hint">Halte die Taste</span></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	b.Eval(`element.shadowRoot.querySelector("[part=button]").focus()`)
	press := func(kind input.DispatchKeyEventType) {
		browsertest.Call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: " ", Code: "Space", Text: " ", WindowsVirtualKeyCode: 32})
	}
	press(input.DispatchKeyEventTypeKeyDown)
	press(input.DispatchKeyEventTypeKeyUp)
	b.WaitFor(`!row("cup").querySelector("button").disabled`)
	if got := browsertest.Eval[string](b, `shadow.querySelector("[part=hint]").hidden + shadow.querySelector("[part=hint] slot").assignedNodes()[0].textContent`); got != "falseHalte die Taste" {
		t.Errorf("the hint: %s", got)
	}
	b.Eval(`row("cup").querySelector("button").focus()`)
	if got := browsertest.Eval[string](b, `getComputedStyle(row("cup").querySelector("button")).outlineStyle`); got != "solid" {
		t.Errorf("the focus is shown as %q", got)
	}
	press(input.DispatchKeyEventTypeKeyDown)
	b.WaitFor(`count("cup") >= 3`)
	press(input.DispatchKeyEventTypeKeyUp)
	b.WaitFor(`row("cup").querySelector("button").ariaPressed === "false"`)
	b.Eval(`element.teach("pen", plain(9, 9, 200))`)
	b.WaitFor(`shadow.querySelector("[part=hint]").hidden && count("pen") === 1`)
	b.WaitFor(`shadow.querySelector(".said").textContent === "cup"`)
	said := browsertest.Eval[int](b, `new Promise((resolve) => {
		let n = 0;
		const seen = new MutationObserver((all) => (n += all.length));
		seen.observe(shadow.querySelector(".said"), { childList: true, characterData: true, subtree: true });
		setTimeout(() => resolve(n), 1500);
	})`)
	if said != 0 {
		t.Errorf("the same answer was read out %d times more", said)
	}
	b.Eval(`window.former = shadow.querySelector("video").srcObject; element.camera = "environment"`)
	b.WaitFor(`former.getTracks()[0].readyState === "ended" && shadow.querySelector("video").srcObject && !shadow.querySelector("video").hidden`)
	b.Eval(`shadow.querySelector("video").srcObject.getTracks()[0].dispatchEvent(new Event("ended"))`)
	b.WaitFor(`events.some((e) => e.type === "error" && e.detail.message.includes("no camera was found"))`)
	b.Eval(`element.camera = false`)
	b.WaitFor(`!shadow.querySelector("video").srcObject && shadow.querySelector("[part=button]").hidden`)
	b.NoProblems()
}

// Firefox before 119 has no properties for ARIA attributes.
func TestElementWithoutPropertiesOfARIA(t *testing.T) {
	s := wasmtest.Serve(t)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(s.URL + "/test/")
	b.WaitFor("window.loaded")
	got := browsertest.Eval[[]string](b, `(async () => {
		for (const name of ["ariaPressed", "ariaLive", "ariaHidden", "ariaLabel", "role"]) delete Element.prototype[name];
		await import("/deepemd/element.js");
		const element = document.createElement("deep-emd");
		element.classes = ["cup"];
		return [["[part=teach]", "aria-pressed"], ["[part=answer]", "aria-live"], ["canvas", "aria-hidden"], ["progress", "aria-label"], ["ul", "role"]]
			.map(([selector, name]) => element.shadowRoot.querySelector(selector).getAttribute(name));
	})()`)
	if want := []string{"false", "off", "true", "Loading", "list"}; !slices.Equal(got, want) {
		t.Errorf("attributes %q, want %q", got, want)
	}
}

// axe-core finds nothing serious in it, on or off, light or dark.
func TestElementIsAccessible(t *testing.T) {
	script, err := os.ReadFile("../../../../build/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skipf("axe-core is not installed (%v): make axe installs it", err)
	}
	_, b := newElement(t, `<main><h1>Things</h1><deep-emd camera weights="SMALL" classes="cup, pen">Nothing yet</deep-emd></main>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	b.Eval(`document.documentElement.lang = "en";
		document.head.insertAdjacentHTML("beforeend", "<style>html { background: Canvas; }</style>");
		` + string(script))
	for _, step := range []struct{ name, script string }{
		{"off", ``},
		{"on", `await element.start(); `},
		{"with an answer", `await element.teach("cup"); await element.teach("pen", plain(9, 9, 200)); await next(element, "prediction"); await element.forget("none").catch(() => {});`},
		{"of a stranger", `element.stop(); await (await element.engine).configure({ strictness: 1 }); await element.classify(plain(20, 250, 30));`},
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, found := range browsertest.Eval[[]string](b, fmt.Sprintf(`(async () => {
				%s
				document.documentElement.style.colorScheme = %q;
				await new Promise((resolve) => setTimeout(resolve, 300));
				const { violations } = await axe.run(document, { resultTypes: ["violations"] });
				return violations.filter((v) => ["serious", "critical"].includes(v.impact)).flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + " " + n.failureSummary));
			})()`, step.script, scheme)) {
				t.Errorf("%s, %s: %s", step.name, scheme, found)
			}
			step.script = ""
		}
	}
}

// An element with the attribute sound listens: Chromium's fake microphone beeps.
func TestElementHears(t *testing.T) {
	_, b := newElement(t, `<deep-emd sound classes="beep, hum" threshold="-50"><deep-emd-class name="voice"><audio src="/sounds/voice.wav"></audio></deep-emd-class></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready") && count("voice") === 1`)
	if text := browsertest.Eval[string](b, `shadow.querySelector("[part=button]").innerText + failure(element.teach("hum")).then((f) => (window.off = f)).constructor.name`); text != "Promise" && !strings.Contains(text, "microphone") {
		t.Errorf("the button says %q", text)
	}
	b.Do(chromedp.Click(chromedp.JSPath(`document.querySelector("deep-emd").shadowRoot.querySelector("[part=button]")`)))
	b.WaitFor(`!shadow.querySelector("[part=spectrum]").hidden && !row("beep").querySelector("button").disabled`)
	browsertest.Eval[wasmtest.Failure](b, `window.off`).Check(t, "bad-sound", "microphone is off")
	b.Eval(`row("beep").querySelector("button").focus()`)
	b.Eval(`row("beep").querySelector("button").dispatchEvent(new KeyboardEvent("keydown", { key: " " }))`)
	b.WaitFor(`count("beep") >= 2`)
	b.Eval(`row("beep").querySelector("button").dispatchEvent(new KeyboardEvent("keyup", { key: " " }))`)
	labels := browsertest.Eval[[]string](b, `(async () => {
		const hum = { rate: 16000, samples: Float32Array.from({ length: 16000 }, (_, i) => 0.3 * Math.sin((2 * Math.PI * 120 * i) / 16000) + 0.1 * Math.sin((2 * Math.PI * 60 * i) / 16000)) };
		await element.teach("hum", hum);
		const live = (await next(element, "prediction")).scores[0].label;
		const said = (await element.classify(hum)).scores[0].label;
		const { examples } = (await element.engine).classes.find((c) => c.label === "beep");
		element.weights = undefined; // nothing changes
		element.options = { timeout: 50000 }; // it starts over, and hears as before
		const engine = await element.engine;
		const again = (await element.classify(hum)).scores[0].label;
		return [live, said, again, String(examples[0].second.length), String(engine.classes.find((c) => c.label === "beep").examples.length === examples.length)];
	})()`)
	if want := []string{"beep", "hum", "hum", "16000", "true"}; !slices.Equal(labels, want) {
		t.Errorf("live, of a hum, after starting over, samples kept, examples kept: %q, want %q", labels, want)
	}
	b.NoProblems()
}

// On a server, where frameworks render first, there are no elements: importing the module
// does nothing.
func TestElementOnServer(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: the element is not imported on a server")
	}
	script := `import { DeepEMDElement } from "../../../npm/element.js"; console.log(typeof DeepEMDElement, globalThis.customElements);`
	out, err := exec.Command(node, "--input-type=module", "--eval", script).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "function undefined" {
		t.Errorf("%v, %s", err, got)
	}
}
