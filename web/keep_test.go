package web_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// labels returns the names of the classes.
func (s *studio) labels() string {
	s.t.Helper()
	return browsertest.Eval[string](s.Browser, `[...document.querySelectorAll(".card input.name")].map((f) => f.value).join(", ")`)
}

// isKept waits until the project is kept as it is.
func (s *studio) isKept() {
	s.t.Helper()
	s.WaitFor(`document.querySelector("#kept.saved")?.innerText.includes("Saved")`, 20*time.Second)
}

// again loads the page again, as a person who opens it anew.
func (s *studio) again() {
	s.t.Helper()
	s.start()
	s.ready()
	s.WaitFor(`document.querySelector("#kept:is(.saved, .unsaved)") && !document.querySelector("#kept").innerText.includes("Opening")`, 30*time.Second)
}

// start opens the studio in this tab.
func (s *studio) start() {
	s.t.Helper()
	s.Open(s.origin + "/")
	s.WaitFor(`document.querySelector(".studio:not([inert])")`, 30*time.Second)
}

// tab is another tab of the same browser.
func (s *studio) tab() *studio { return &studio{s.Tab(), s.t, s.origin} }

// teach gives two classes two examples each.
func (s *studio) teach() {
	s.t.Helper()
	s.name(1, "red disc")
	s.name(2, "blue disc")
	s.drop(card(1), pictureFile(s.t, "a.jpg", red), pictureFile(s.t, "b.jpg", red))
	s.drop(card(2), pictureFile(s.t, "c.jpg", blue), pictureFile(s.t, "d.jpg", green))
	s.waitCount(".thumbnail", 4)
}

// exact returns the very scores of the engine for a picture of the page's own.
func (s *studio) exact() []float64 {
	s.t.Helper()
	return browsertest.Eval[[]float64](s.Browser, `(async () => {
		const engine = await studio.engine;
		const data = Uint8Array.from({ length: 3 * 90 * 90 }, (_, i) => (i * 7 + (i % 3) * 90) & 255);
		const { scores } = await engine.classify({ width: 90, height: 90, data });
		return scores.sort((a, b) => (a.id < b.id ? -1 : 1)).map((s) => s.score);
	})()`)
}

func same(a, b []float64, within float64) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= within) {
			return false
		}
	}
	return true
}

// Whatever happens to tab or engine, what was taught is there, and answers as before.
func TestNothingIsLost(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.ready()
	s.teach()
	s.isKept()
	before := s.exact()

	// The worker crashes.
	s.Eval(`studio.engine.then((e) => e[Symbol.for("deepemd.crash")]("panic")).catch(() => {})`)
	s.WaitFor(`document.querySelector(".message.good")`, 30*time.Second)
	if after := s.exact(); !same(before, after, 0) {
		t.Errorf("scores %v, after a crash of the engine %v", before, after)
	}

	// The tab is killed while examples are being added: the page gets no chance to do anything.
	s.click("#add-class")
	s.waitCount(".card", 3)
	s.drop(card(3), pictureFile(t, "e.jpg", green), pictureFile(t, "f.jpg", green), pictureFile(t, "g.jpg", green))
	s.waitCount(".thumbnail", 7)
	s.isKept()
	before = s.exact()
	killed := s
	s = s.tab()
	killed.Kill()
	s.start()
	s.ready()
	s.waitCount(".thumbnail", 7)
	s.isKept()
	if got := s.labels(); got != "red disc, blue disc, Class 3" {
		t.Errorf("the classes are %q", got)
	}
	s.showsColour(card(1)+" .thumbnail", red)
	s.showsColour(card(3)+" .thumbnail", green)
	if after := s.exact(); !same(before, after, 0) {
		t.Errorf("scores %v, after the tab was killed %v", before, after)
	}
	s.quiet()
}

// Several projects, each with its own classes: begun, named, switched, copied,
// deleted and brought back.
func TestProjects(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.ready()
	s.teach()
	s.isKept()
	first := s.exact()

	s.projects()
	s.Eval(`document.querySelector("#project-name").select()`)
	s.Do(chromedp.SendKeys(chromedp.CSS("#project-name"), "Discs\r"))
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs"`, 5*time.Second)
	s.click("#new-project")
	s.waitCount(".thumbnail", 0)
	s.name(1, "night")
	s.drop(card(1), pictureFile(t, "h.jpg", blue))
	s.waitCount(".thumbnail", 1)
	s.isKept()

	s.projects()
	s.waitCount(".projects .row", 2)
	s.shot("projects")
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		for _, scheme := range []string{"light", "dark"} {
			s.Do(chromedp.EmulateViewport(390, 844), s.scheme(scheme))
			s.shot("projects-phone-" + scheme)
		}
		s.Do(chromedp.ResetViewport())
		s.shot("projects-dark")
		s.Do(s.scheme("light"))
	}
	s.click(`.projects .row:not(.current) .opens`)
	s.waitCount(".thumbnail", 4)
	if got := s.labels(); got != "red disc, blue disc" {
		t.Errorf("the classes are %q", got)
	}
	s.WaitFor(`!document.querySelector("#kept").innerText.includes("Opening")`, 20*time.Second)
	if again := s.exact(); !same(first, again, 0) {
		t.Errorf("scores %v, opened again %v", first, again)
	}

	s.projects()
	s.click(`.projects .row.current .copies`)
	s.waitCount(".projects .row", 3)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs, copy"`, 10*time.Second)
	s.click(`.projects .row.current .removes`)
	s.WaitFor(`document.querySelector('.message.news[data-key=removed]')`, 10*time.Second)
	s.shot("project-removed")
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		s.Do(chromedp.EmulateViewport(390, 844), s.scheme("dark"))
		s.shot("project-removed-phone")
		s.Do(chromedp.ResetViewport(), s.scheme("light"))
	}
	s.WaitFor(`document.querySelector("#open-projects .title").innerText !== "Discs, copy"`, 10*time.Second)
	s.click(`.message.news .plain`)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs, copy"`, 10*time.Second)
	s.waitCount(".thumbnail", 4)

	s.again() // it is the one used last
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs, copy"`, 10*time.Second)
	s.waitCount(".thumbnail", 4)
	if again := s.exact(); !same(first, again, 0) {
		t.Errorf("scores %v, of the copy %v", first, again)
	}
	s.quiet()
}

// projects opens the dialog of projects.
func (s *studio) projects() {
	s.t.Helper()
	s.click("#open-projects")
	s.WaitFor(`document.querySelector("#projects[open]")`, 5*time.Second)
}

// Steps are undone and done again by buttons and keys; the engine follows.
func TestUndo(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.ready()
	s.teach()
	before := s.exact()
	s.click(card(1) + " .remove")
	s.click(card(1) + " .danger")
	s.waitCount(".card", 1)
	if got := browsertest.Eval[string](s.Browser, `document.querySelector("#undo").title`); got != "Undo: delete a class" {
		t.Errorf("the button says %q", got)
	}
	s.click("#undo")
	s.waitCount(".card", 2)
	s.waitCount(".thumbnail", 4)
	s.showsColour(card(1)+" .thumbnail", red)
	if after := s.exact(); !same(before, after, 1e-6) {
		t.Errorf("scores %v, after undoing %v", before, after)
	}

	s.click(card(2) + " .clear")
	s.waitCount(".thumbnail", 2)
	s.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(2))) // Ctrl
	s.waitCount(".thumbnail", 4)
	s.Do(chromedp.KeyEvent("y", chromedp.KeyModifiers(2)))
	s.waitCount(".thumbnail", 2)
	s.click("#undo")
	s.waitCount(".thumbnail", 4)
	s.isKept()
	if after := s.exact(); !same(before, after, 1e-6) {
		t.Errorf("scores %v, after undoing by keyboard %v", before, after)
	}
	// In a field the keys are the field's.
	s.name(1, "cup")
	s.click(card(1) + " input.name")
	s.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(2)))
	time.Sleep(300 * time.Millisecond)
	s.waitCount(".thumbnail", 4)
	s.again()
	s.waitCount(".thumbnail", 4) // what was brought back is kept
	s.quiet()
}

// saved waits for the file that the page hands out.
func (s *studio) saved(dir, ending string) string {
	s.t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if files, _ := filepath.Glob(filepath.Join(dir, "*"+ending)); len(files) > 0 {
			return files[0]
		}
	}
	s.t.Fatalf("no file *%s in %s", ending, dir)
	return ""
}

// A project goes into a file and comes back as another project, with the same
// scores; what is no project file is refused, and nothing is lost.
func TestProjectFiles(t *testing.T) {
	s := open(t, browsertest.Options{})
	dir := s.Downloads()
	s.ready()
	s.teach()
	s.isKept()
	before := s.exact()
	s.projects()
	s.click("#save-file")
	file := s.saved(dir, ".deepemd")
	s.Eval(`document.querySelector("#projects").close()`)

	s.click(card(1) + " .clear")
	s.click(card(2) + " .clear")
	s.waitCount(".thumbnail", 0)
	s.isKept()
	s.projects()
	s.Do(chromedp.SetUploadFiles(chromedp.CSS("#open-file"), []string{file}))
	s.waitCount(".thumbnail", 4)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Project 1 (2)"`, 10*time.Second)
	s.isKept()
	if after := s.exact(); !same(before, after, 0) {
		t.Errorf("scores %v, opened from the file %v", before, after)
	}
	if got := s.labels(); got != "red disc, blue disc" {
		t.Errorf("the classes are %q", got)
	}

	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(t.TempDir(), "newer.deepemd")
	damaged := filepath.Join(t.TempDir(), "damaged.deepemd")
	for path, content := range map[string][]byte{
		damaged: data[:len(data)*2/3],
		newer:   withVersion(t, data, 7),
	} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ path, says string }{
		{textFile(t, "letter.deepemd"), "not a project"},
		{damaged, "damaged"},
		{newer, "newer version"},
	} {
		s.drop(".view", c.path)
		s.WaitFor(fmt.Sprintf(`document.querySelector(".message.warning")?.innerText.includes(%q)`, c.says), 10*time.Second)
		if got := s.text(".message.warning"); !strings.Contains(got, filepath.Base(c.path)) || !strings.Contains(got, "as it was") {
			t.Errorf("the page says %q", got)
		}
		s.shot("bad-project")
		s.click(`.message button[aria-label="Dismiss"]`)
		s.waitCount(".message", 0)
	}
	s.waitCount(".thumbnail", 4)
	if after := s.exact(); !same(before, after, 0) {
		t.Errorf("scores %v, after files that were refused %v", before, after)
	}
	s.quiet()
}

// A project that is open in one tab is not opened in another, which begins a new one.
func TestTwoTabs(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.ready()
	s.teach()
	s.isKept()
	second := s.tab()
	second.start()
	second.WaitFor(`document.querySelector(".message.warning")?.innerText.includes("another tab")`, 30*time.Second)
	if got := second.count(".thumbnail"); got != 0 {
		t.Errorf("%d examples in the second tab, want none", got)
	}
}

// withVersion returns a project file that says to be of another version.
func withVersion(t *testing.T, file []byte, version int) []byte {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := from.Open("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	to := zip.NewWriter(&buf)
	w, err := to.CreateHeader(&zip.FileHeader{Name: "manifest.json"})
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte(`"version": 1`), fmt.Appendf(nil, `"version": %d`, version), 1)
	if _, err := w.Write(changed); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
