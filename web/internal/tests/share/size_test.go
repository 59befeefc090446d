//go:build !js

package share_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// verdict is an engine's answer to an image.
type verdict struct {
	Best                     string
	Unknown                  bool
	Nothing                  string
	Probability              float64
	Score, Threshold, Border float64
}

// verdicts asks a page's engine, given as an expression, about image files.
func verdicts(s *studiotest.Studio, engine string, files []string) (all []verdict) {
	s.T.Helper()
	for _, file := range files {
		data := require.Value(os.ReadFile(file))(s.T)
		text := browsertest.Eval[string](s.Browser, fmt.Sprintf(`Promise.resolve(%s).then(async (e) => {
			const { scores, unknown } = await e.classify(new Blob([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))]));
			return JSON.stringify({ Best: scores[0].id, Probability: scores[0].score, Unknown: unknown.unknown, Nothing: unknown.nothing ?? "", Score: unknown.score, Threshold: unknown.threshold, Border: unknown.balanced });
		})`, engine, base64.StdEncoding.EncodeToString(data)))
		var v verdict
		require.NoError(s.T, json.Unmarshal([]byte(text), &v))
		all = append(all, v)
	}
	return all
}

// same reports whether two engines agree.
func (v verdict) same(o verdict) bool {
	const tolerance = 1e-4
	near := func(a, b float64) bool { return math.Abs(a-b) <= tolerance }
	return v.Best == o.Best && v.Unknown == o.Unknown && v.Nothing == o.Nothing &&
		near(v.Probability, o.Probability) && near(v.Score, o.Score) && near(v.Threshold, o.Threshold) && near(v.Border, o.Border)
}

// most is the maximum size of a typical project's page in bytes.
const most = 5_000_000

// The page of sixty photographs in three classes is small, and agrees with the studio, including
// the strictness and a background example.
func TestSharedPageIsSmallAndAnswersLikeTheStudio(t *testing.T) {
	words := texts.In("en")
	s := studiotest.Open(t, browsertest.Options{})
	s.Ready()
	s.Click("#add-class")
	classes := []struct{ name, wordnet string }{{"Teapot", "n04398044"}, {"Koala", "n01882714"}, {"Bus", "n04487081"}}
	for i, c := range classes {
		s.Name(i+1, c.name)
		s.Drop(studiotest.Card(i+1), studiotest.Photographs(t, c.wordnet, 0, 20)...)
	}
	s.WaitFor(`studio.gallery.contents.size === 60`)
	s.Drop(studiotest.NothingCard, studiotest.PictureFile(t, "desk.jpg", color.RGBA{120, 110, 100, 255}))
	s.WaitFor(`studio.gallery.contents.size === 61`)
	s.WaitFor(`document.querySelector("#strictness")`)
	s.Eval(`(() => { const e = document.querySelector("#strictness"); e.value = 60; e.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	s.WaitFor(`studio.engine.then((e) => e.method.strangers.strictness === 0.6)`)
	s.IsKept()

	files := studiotest.Photographs(t, "n04398044", 40, 42)
	files = append(files, studiotest.Photographs(t, "n01882714", 40, 42)...)
	files = append(files, studiotest.Photographs(t, "n02123394", 40, 44)...)
	files = append(files, studiotest.Photographs(t, "n07871810", 40, 44)...)
	nothing := studiotest.PictureFile(t, "again.jpg", color.RGBA{122, 111, 103, 255})
	files = append(files, nothing)
	want := verdicts(s, "studio.engine", files)

	s.OpenDialog("#open-projects", "#projects")
	if n := s.Count("#send-page"); n != 0 {
		t.Error("a page is offered to a share sheet that is not there")
	}
	s.Click("#share-page")
	file := s.Saved(".html")
	facts := require.Value(os.Stat(file))(t)
	t.Logf("a page of 61 examples takes %.2f MB", float64(facts.Size())/1e6)
	if facts.Size() > most {
		t.Errorf("a page of 61 examples takes %d bytes, more than %d", facts.Size(), most)
	}

	page := s.NewTab()
	began := time.Now()
	page.Open("file://" + file)
	page.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	t.Logf("it opens in %.1f s", time.Since(began).Seconds())
	// In WebKit, a worker of a page from disk cannot read the page's files.
	page.Eval(`globalThis.filesSent = 0; const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (message, ...rest) {
			if (message?.picture?.file instanceof Blob) filesSent++;
			return post.call(this, message, ...rest);
		};`)
	got := verdicts(page, "engine", files)
	if n := browsertest.Eval[int](page.Browser, "filesSent"); n > 0 {
		t.Errorf("the page handed its worker %d files, want their bytes", n)
	}
	unknown, known := "", ""
	for i, w := range want {
		if !w.same(got[i]) {
			t.Errorf("of %s the studio says %+v, the page %+v", filepath.Base(files[i]), w, got[i])
		}
		switch {
		case w.Unknown && w.Nothing == "":
			unknown = files[i]
		case !w.Unknown:
			known = files[i]
		}
	}
	if unknown == "" || known == "" || want[len(want)-1].Nothing == "" {
		t.Fatalf("the pictures show nothing: %+v", want)
	}
	show := func(file, caption, why string) {
		t.Helper()
		page.Upload("#picture", file)
		page.WaitFor(fmt.Sprintf(`(document.querySelector(".caption:not([hidden])")?.innerText ?? "").startsWith(%q) && document.querySelector(".verdict").innerText === %q`, caption, why))
	}
	show(unknown, words.Improve.Unknown, "This does not look like any of the examples")
	page.Shot("sharing-unknown")
	show(known, names(classes, want, files, known), "")
	show(nothing, words.Improve.Unknown, words.Improve.NothingTip)
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		page.Window(390, 844)
		page.Shot("sharing-nothing-phone")
	}
	page.NoProblems()
	s.Quiet()
}

// names returns the class names of verdicts.
func names(classes []struct{ name, wordnet string }, all []verdict, files []string, file string) string {
	for i := range files {
		for k, c := range classes {
			if files[i] == file && strings.HasSuffix(all[i].Best, fmt.Sprint("-", k+1)) {
				return c.name
			}
		}
	}
	return ""
}
