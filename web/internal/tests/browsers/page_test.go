//go:build !js

package browsers_test

import (
	"encoding/json"
	"math"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/browsertest/webdriver"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

func TestMain(m *testing.M) { testsite.Main(m) }

// kinds are the browsers. Chromium, which has its own tests, is the reference.
var kinds = []webdriver.Kind{webdriver.Chromium, webdriver.Firefox, webdriver.WebKit}

// long skips a test unless it is requested.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("DEEPEMD_BROWSERS") == "" {
		t.Skip("takes longer than a change should wait: make test-browsers")
	}
}

// inEach runs a test in each installed browser.
func inEach(t *testing.T, test func(*testing.T, webdriver.Kind)) {
	t.Helper()
	for _, kind := range kinds {
		t.Run(kind.Name, func(t *testing.T) { test(t, kind) })
	}
}

// studio is the built site in one of the browsers, with a record of the server's requests.
type studio struct {
	*webdriver.Page
	t      *testing.T
	server *httptest.Server
	book   *studiotest.Account
}

// open serves the site and opens one of its pages.
func open(t *testing.T, kind webdriver.Kind, path string) *studio {
	t.Helper()
	page := webdriver.Start(t, kind)
	book := &studiotest.Account{Site: studiotest.Site(t)}
	s := &studio{page, t, httptest.NewServer(book), book}
	t.Cleanup(s.server.Close)
	t.Log(page.Version())
	s.Open(s.server.URL + path)
	return s
}

// listening is a script that records the engine's answers in the variable told.
const listening = `if (!globalThis.told) {
	globalThis.told = { answers: 0, scores: null };
	const known = new WeakSet(), post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (...said) {
		if (!known.has(this)) this.addEventListener("message", ({ data }) => {
			if (data.ok && data.scores) { told.answers++; told.scores = data.scores; }
		});
		known.add(this);
		return post.apply(this, said);
	};
}`

// ready waits for the studio and its engine.
func (s *studio) ready() {
	s.t.Helper()
	s.WaitFor(`document.querySelector(".studio:not([inert])") && document.querySelector(".engine.ready")`)
	s.Run(listening)
}

// nothingLeft fails the test if a request could carry user data, or if the browser contacted
// another machine. Problems with one of the given texts are expected.
func (s *studio) nothingLeft(expected ...string) {
	s.t.Helper()
	asked, strange := s.book.Report()
	if asked < 10 || len(strange) > 0 {
		s.t.Errorf("of %d requests these could carry something: %q", asked, strange)
	}
	s.Quiet(expected...)
	s.t.Logf("%d requests, all for files of the site", asked)
}

// class is a class with its files.
type class struct {
	name  string
	files []string // nil if it already has examples
}

// teach names the classes and adds their examples.
func (s *studio) teach(classes []class) {
	s.t.Helper()
	for i, c := range classes {
		if i >= 2 {
			s.Click("#add-class")
			s.WaitCount(".cards .card", i+1)
		}
		card := studiotest.Card(i + 1)
		s.Type(card+" input.name", c.name)
		if len(c.files) == 0 {
			continue
		}
		s.Choose(card+" input[type=file]", c.files...)
		s.WaitCount(card+" .thumbnail", len(c.files))
	}
}

// scores maps class names to probabilities.
type scores map[string]float64

// ask shows the page a file, and returns the engine's answer, which the page must display.
func (s *studio) ask(file string) scores {
	s.t.Helper()
	s.Run("told.answers = 0")
	s.Choose("#test-picture", file)
	const bars = `[...document.querySelectorAll(".bar:not(.unknown)")]`
	s.WaitFor(`told.answers > 0 && ` + bars + `.length === told.scores.length && ` + bars + `.every((bar) =>
		Math.abs(bar.querySelector(".fill").ariaValueNow - told.scores.find((s) => s.id === bar.dataset.class).score) <= 1e-4)`)
	return webdriver.Eval[scores](s.Page, `Object.fromEntries(told.scores.map((s) => [s.label, s.score]))`)
}

// natively returns the answers of native code.
func natively(t *testing.T, network []byte, ear learner.Hearing, classes []class, queries []string) (all []scores) {
	t.Helper()
	l := require.Value(learner.OpenWith(network, learner.Options{Kit: learner.AllParts(), Hearing: ear}))(t)
	given := func(file string) learner.Picture {
		data := require.Value(os.ReadFile(file))(t)
		return learner.Picture{Data: data}
	}
	for _, c := range classes {
		for _, file := range c.files {
			require.NoError(t, l.Add(c.name, given(file)))
		}
	}
	for _, file := range queries {
		answer := require.Value(l.Model().Classify(given(file)))(t)
		said := scores{}
		for _, s := range answer.Scores {
			said[s.Label] = s.Score
		}
		all = append(all, said)
	}
	return all
}

// sameScores fails the test if answers differ by more than within.
func sameScores(t *testing.T, who string, got []scores, whom string, want []scores, within float64) {
	t.Helper()
	worst := 0.0
	for i := range want {
		if len(got[i]) != len(want[i]) {
			t.Errorf("query %d: %s scores %v, %s %v", i+1, who, got[i], whom, want[i])
		}
		for label, score := range want[i] {
			d := math.Abs(got[i][label] - score)
			worst = max(worst, d)
			if !(d <= within) {
				t.Errorf("query %d: %s gives %s %.9f, %s %.9f", i+1, who, label, got[i][label], whom, score)
			}
		}
	}
	t.Logf("%d answers of %s are within %.1e of those of %s", len(want), who, worst, whom)
}

// reference holds the answers of the first browser.
type reference struct {
	name string
	said []scores
}

// compare fails the test if a browser's answers differ from the first browser's.
func (r *reference) compare(t *testing.T, kind webdriver.Kind, got []scores) {
	t.Helper()
	if r.said == nil {
		r.name, r.said = kind.Name, got
		return
	}
	sameScores(t, kind.Name, got, r.name, r.said, apart)
}

// features are optional browser features that the page uses.
const features = `(async () => ({
	"frame callbacks of video": "requestVideoFrameCallback" in HTMLVideoElement.prototype,
	VideoFrame: typeof VideoFrame === "function",
	OffscreenCanvas: typeof OffscreenCanvas === "function",
	"relaxed SIMD": WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11])),
	"install prompt": "onbeforeinstallprompt" in globalThis,
	"idle callbacks": "requestIdleCallback" in globalThis,
	"service workers": Boolean(navigator.serviceWorker),
	"camera": Boolean(navigator.mediaDevices?.getUserMedia),
	"audio worklets": typeof AudioWorkletNode === "function",
	speech: "speechSynthesis" in globalThis,
	"Web Serial": "serial" in navigator,
	"gzip (CompressionStream)": typeof CompressionStream === "function",
	"share sheet for files": Boolean(navigator.canShare?.({ files: [new File([""], "a.html", { type: "text/html" })] })),
	"folders (webkitdirectory)": "webkitdirectory" in HTMLInputElement.prototype,
}))()`

// lacks logs the missing features.
func (s *studio) lacks() {
	s.t.Helper()
	there := webdriver.Eval[map[string]bool](s.Page, features)
	var missing []string
	for name, is := range there {
		if !is {
			missing = append(missing, name)
		}
	}
	text := require.Value(json.Marshal(missing))(s.t)
	s.t.Logf("%s lacks %s", s.Version(), text)
}
