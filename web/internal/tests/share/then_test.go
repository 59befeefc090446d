//go:build !js

package share_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The camera alternates between two discs. The chosen effects happen once for each, by voice,
// sound, device and stage. They are counted and logged, and saved with the project.
func TestThenHappens(t *testing.T) {
	words := texts.In("en").Then
	s := openThen(t, browsertest.Options{Camera: studiotest.DiscFilm(t, 24, studiotest.Red, studiotest.Blue), Timeout: 4 * time.Minute})
	s.Ready()
	if n := s.Count(".then:not(.hidden)"); n != 0 {
		t.Errorf("%d panels before anything was taught", n)
	}
	s.teach()
	s.WaitFor(`document.querySelector(".then.folded")`)
	s.Click("#start")
	s.WaitFor(`/Red/.test(document.querySelector(".caption")?.innerText)`)
	s.WaitFor(`/Blue/.test(document.querySelector(".caption")?.innerText)`)
	if got := browsertest.Eval[string](s.Browser, `JSON.stringify([witness.spoken, witness.tones, witness.lines])`); got != "[[],0,[]]" {
		t.Errorf("by default happened %s", got)
	}

	s.unfold()
	s.Shot("then-begin")
	s.Click(row(1) + " .say")
	s.WaitFor(`witness.spoken[0] === "Red en-GB"`)
	s.Click(row(2) + " .sound")
	s.WaitFor(`witness.tones > 0`)
	s.Click(row(2) + " .show")
	s.WaitFor(`document.querySelector(".effect span")?.innerText === "👍"`)
	s.Click(row(2) + " .sign:nth-of-type(2)")
	s.WaitFor(`document.querySelector(".effect span")?.innerText === "⭐"`)
	for n := 1; n <= 2; n++ {
		s.Click(row(n) + " .count")
		s.Click(row(n) + " .serial")
	}
	s.Focus(row(2) + " input.line")
	s.Keys("led 1\r")
	s.Click("#connect")
	s.WaitFor(`document.querySelector("#disconnect") && witness.baud === 115200 && document.activeElement.id === "then-device"`)
	s.Click("#keep-log")

	// Each is seen once until the other is.
	s.WaitFor(`witness.lines.length >= 4`)
	lines := browsertest.Eval[[]string](s.Browser, `witness.lines`)
	for i, line := range lines {
		if line != "Red\n" && line != "led 1\n" || i > 0 && line == lines[i-1] {
			t.Errorf("the device was told %q: want Red and led 1 by turns", lines)
			break
		}
	}
	s.WaitFor(`document.querySelector(".effect span")?.innerText === "⭐" && /Blue/.test(document.querySelector(".caption").innerText)`)
	s.WaitFor(`document.querySelector(".effect.hidden") && /Red/.test(document.querySelector(".caption").innerText)`)
	s.WaitFor(`witness.spoken.length > 2 && witness.tones > 6`)
	s.looked("then")

	// When the device is unplugged, a notice reports that, and the page continues.
	s.Eval(`witness.unplug()`)
	s.WaitFor(`document.querySelector("#connect") && document.querySelector(".message")?.innerText.includes("` + words.NoDevice + `")`)

	s.WaitFor(`document.querySelectorAll(".strip svg").length >= 2`)
	if got := s.Text(".log .words"); !strings.Contains(got, "Red ") || !strings.Contains(got, "Blue ") {
		t.Errorf("the strip says %q", got)
	}
	if !browsertest.Eval[bool](s.Browser, `[...document.querySelectorAll(".strip .lasts")].every((path) => path.getTotalLength() > 0)`) {
		t.Error("nothing is drawn in a line of the strip")
	}
	s.Eval(`Date.prototype.getTimezoneOffset = () => -150`) // the clocks have changed since the page began
	s.Click("#save-log")
	table := require.Value(os.ReadFile(s.Saved("log.csv")))(t)
	text, marked := strings.CutPrefix(string(table), "\ufeff") // without it, spreadsheets do not read UTF-8
	if !marked {
		t.Errorf("the table begins with %.12q, without a byte order mark", table)
	}
	rows := strings.Split(strings.TrimSpace(text), "\r\n")
	if rows[0] != "time,seconds,answer,probability,seen,Red,Blue" || len(rows) < 10 {
		t.Errorf("%d rows under %q", len(rows), rows[0])
	}
	if at, err := time.Parse("2006-01-02 15:04:05.000", strings.Split(rows[1], ",")[0]); err != nil || time.Until(at).Round(time.Hour/2) != 150*time.Minute {
		t.Errorf("the first line is of %v, error %v: want the time of a clock that is 150 minutes ahead", at, err)
	}
	for _, name := range []string{"Red", "Blue"} {
		if !slices.ContainsFunc(rows, func(r string) bool { return strings.Contains(r, ","+name+",") && strings.Contains(r, ",1,") }) {
			t.Errorf("the table does not say that %s was seen", name)
		}
	}

	// A pause stops all effects; counters stay.
	s.Click("#then-pause")
	s.Click("#show-then")
	s.WaitFor(`/^Red \d+ · Blue \d+$/.test(document.querySelector(".then .counts")?.innerText)`)
	counts := s.Text(".then .counts")
	s.Shot("then-folded")
	s.Click("#start")
	s.IsKept()
	s.Quiet()

	// Rules and counters are restored; a removed class takes its rule along.
	s.Revisit()
	s.WaitFor(`document.querySelector(".then .counts")?.innerText === "` + counts + `"`)
	s.unfold()
	s.WaitFor(`!document.querySelector(".improve .busy")`)
	s.Click(studiotest.Card(2) + " .remove")
	s.WaitFor(`![...document.querySelectorAll(".rule")].some((r) => r.innerText.includes("Blue"))`)
	s.Click("#undo")
	s.WaitFor(`document.querySelector("` + row(2) + ` .show[aria-pressed=true]") && document.querySelector("` + row(2) + ` input.line").value === "led 1"`)
	s.Name(1, "Rouge")
	s.WaitFor(`document.querySelector("` + row(1) + ` .say[aria-pressed=true]") && document.querySelector("` + row(1) + `").innerText.includes("Rouge")`)
	s.Click(row(1) + " .sample")
	s.WaitFor(`witness.spoken.at(-1) === "Rouge en-GB"`)

	// Without a voice of the language the device stays silent, and the page reports that.
	s.Eval(`speechSynthesis.voices = speechSynthesis.voices.filter((v) => v.lang !== "en-GB"); witness.spoken = []`)
	s.Click(row(1) + " .sample")
	s.WaitFor(`document.querySelector(".message")?.innerText.includes("` + words.NoVoice + `") && witness.spoken.length === 0`)
	s.Quiet()
}

// looked takes screenshots of the panel in every width and scheme, and checks that everything fits.
func (s *studio) looked(name string) {
	s.T.Helper()
	for _, size := range []struct {
		label         string
		width, height int
	}{{"1280", 1280, 900}, {"390", 390, 844}} {
		s.Window(size.width, size.height)
		s.ScrollTo(row(1))
		for _, scheme := range []string{"light", "dark"} {
			s.Scheme(scheme)
			s.WaitFor(`document.getAnimations().every((a) => a.playState !== "running")`)
			s.Shot(name + "-" + size.label + "-" + scheme)
		}
		s.Scheme("light")
		s.WaitFor(`document.getAnimations().every((a) => a.playState !== "running")`)
		s.ScrollTo(".log")
		s.Shot(name + "-log-" + size.label)
		if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > size.width {
			s.T.Errorf("at a width of %d px the page is %d px wide", size.width, got)
		}
		if small := browsertest.Eval[[]string](s.Browser, `[...document.querySelectorAll(".then :is(button, select, .file)")]
			.filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 100))`); len(small) > 0 {
			s.T.Errorf("at a width of %d px too low for a finger: %q", size.width, small)
		}
	}
	s.Window(1280, 800)
}
