//go:build !js

package element_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// A failure is shown in the element's language until its cause is gone.
func TestElementForgetsFailures(t *testing.T) {
	_, b := newElement(t, `<deep-emd lang="en" camera weights="SMALL" threshold="x"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	got := browsertest.Eval[[][2]string](b, `(async () => {
		const out = [], message = shadow.querySelector("[part=message]"), bad = new Blob(["no picture"]);
		const region = () => getComputedStyle(message).display === "none" ? "nothing that a screen reader watches" : "";
		const note = (what) => out.push([what, region() + (message.textContent && message.textContent + " " + message.title)]);
		note("at first: threshold=\"x\"");
		element.removeAttribute("threshold");
		note("without threshold");
		await element.teach("cup", plain(200, 20, 20));
		const file = await (await element.save()).arrayBuffer();
		for (const [name, project] of [["another", file], ["no", null]]) {
			element.project = "/nothere.deepemd";
			await next(element, "error");
			note("missing: A file could not be loaded");
			element.lang = "de";
			note("in German: Eine Datei konnte nicht geladen werden");
			element.lang = "en";
			const opened = project && next(element, "change");
			element.project = project;
			await opened;
			await settled();
			note(name + " project");
		}
		await failure(element.teach("cup"));
		note("without the camera: The camera is not on");
		await failure(element.teach("cup", bad));
		note("taught: not a picture");
		await element.classify(plain(200, 20, 20));
		note("classified");
		element.classifier = "oracle";
		await next(element, "error");
		await element.classify(plain(200, 20, 20));
		note("refused: oracle");
		element.classifier = "nearest";
		await settled();
		note("another classifier");
		element.setAttribute("camera", "back");
		await settled();
		await element.classify(plain(200, 20, 20));
		note("another setting: camera=\"back\"");
		element.camera = true;
		await settled();
		note("its camera");
		const engine = await element.engine;
		engine.classify = () => Promise.reject(Object.assign(new Error("own words"), { code: "backbone" }));
		await Promise.all([next(element, "error"), element.start()]);
		note("live: own words");
		delete engine.classify;
		await next(element, "prediction");
		note("live again");
		element.stop();
		return out;
	})()`)
	if len(got) != 17 {
		t.Errorf("%d messages: %q", len(got), got)
	}
	for _, step := range got {
		when, want, _ := strings.Cut(step[0], ": ")
		if (want == "") != (step[1] == "") || !strings.Contains(step[1], want) {
			t.Errorf("%s, the element says %q, want %q", when, step[1], want)
		}
	}
	b.NoProblems("nothere.deepemd", "404")
}

// A page in a frame that blocks the camera names the frame's attribute, which the visitor cannot allow.
func TestElementInFrame(t *testing.T) {
	_, b := newElement(t, `<deep-emd></deep-emd>`)
	got := browsertest.Eval[map[string][]string](b, `(async () => {
		const frame = Object.assign(document.createElement("iframe"), { src: "/test/", allow: "camera 'none'; microphone 'none'" });
		document.body.append(frame);
		await new Promise((resolve) => frame.addEventListener("load", resolve));
		const page = frame.contentWindow;
		await page.eval('import("/deepemd/element.js")');
		const said = {};
		for (const [kind, attribute] of [["camera", "camera"], ["microphone", "sound"]]) {
			page.document.body.innerHTML = '<deep-emd lang="en" ' + attribute + '></deep-emd>';
			const element = page.document.querySelector("deep-emd");
			const { message } = await failure(element.start());
			said[kind] = [message, element.shadowRoot.querySelector("[part=message]").textContent];
		}
		page.document.body.append(element);
		if (page.getComputedStyle(element).display !== "grid") said.style = ["none"];
		return said;
	})()`)
	for kind, texts := range got {
		for _, text := range texts {
			if want := `allow="` + kind + `"`; !strings.Contains(text, want) || strings.Contains(text, "address bar") {
				t.Errorf("the element says %q, want %q", text, want)
			}
		}
	}
	if len(got) != 2 {
		t.Errorf("texts %v, want two kinds", got)
	}
}

// A note explains a class that is less probable than unknown, and keeps its place when it goes.
func TestElementNotesTheClassesTogether(t *testing.T) {
	_, b := newElement(t, `<deep-emd weights="SMALL" classes="cup, pen" unknown></deep-emd>`)
	got := browsertest.Eval[[]string](b, `(async () => {
		const engine = await element.engine, note = shadow.querySelector("[part=note]"), classify = engine.classify.bind(engine), shown = [];
		await element.teach("cup", plain(200, 20, 20));
		await element.teach("pen", plain(20, 20, 200));
		for (const together of [undefined, true, undefined]) {
			engine.classify = async (...of) => {
				const answer = await classify(...of);
				return { ...answer, unknown: { ...answer.unknown, unknown: false, together } };
			};
			await element.classify(plain(190, 30, 30));
			shown.push(note.hidden ? "" : getComputedStyle(note).visibility + " " + note.textContent);
		}
		return shown;
	})()`)
	const text = " This is more likely one of the classes than something unknown"
	if want := []string{"", "visible" + text, "hidden" + text}; !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
	b.NoProblems()
}
