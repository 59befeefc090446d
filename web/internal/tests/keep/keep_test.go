//go:build !js

package keep_test

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

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// labels returns the names of the classes.
func (s *studio) labels() string {
	s.T.Helper()
	return browsertest.Eval[string](s.Browser, `[...document.querySelectorAll(".card input.name")].map((f) => f.value).join(", ")`)
}

// tab opens another tab of the same browser.
func (s *studio) tab() *studio { return &studio{s.NewTab()} }

// teach gives two classes two examples each.
func (s *studio) teach() {
	s.T.Helper()
	s.Name(1, "red disc")
	s.Name(2, "blue disc")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(s.T, "a.jpg", studiotest.Red), studiotest.PictureFile(s.T, "b.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(s.T, "c.jpg", studiotest.Blue), studiotest.PictureFile(s.T, "d.jpg", studiotest.Green))
	s.WaitCount(".thumbnail", 4)
}

// exact returns the engine's unrounded scores for a synthetic image, once the examples of an opened
// project are restored.
func (s *studio) exact() []float64 {
	s.T.Helper()
	s.WaitFor(`!document.querySelector("#kept").innerText.includes("Opening")`)
	return browsertest.Eval[[]float64](s.Browser, `(async () => {
		const engine = await studio.engine;
		const data = Uint8Array.from({ length: 3 * 90 * 90 }, (_, i) => (i * 7 + (i % 3) * 90) & 255);
		const { scores } = await engine.classify({ width: 90, height: 90, data });
		return scores.sort((a, b) => (a.id < b.id ? -1 : 1)).map((s) => s.score);
	})()`)
}

// order is the maximum effect of another order of examples on scores, in single precision: images
// are embedded and heads are fitted in that order, and the heads' weights multiply the rounding errors.
const order = 1e-5

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

// After crashes of tab or engine, no example is lost, and the answers are the same.
func TestNothingIsLost(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.IsKept()
	before := s.exact()

	s.Eval(`studio.engine.then((e) => e[Symbol.for("deepemd.crash")]("panic")).catch(() => {})`)
	s.WaitFor(`document.querySelector(".message.good")`)
	if after := s.exact(); !same(before, after, order) {
		t.Errorf("scores %v, after a crash of the engine %v", before, after)
	}

	s.Click("#add-class")
	s.WaitCount(".cards .card", 3)
	s.Drop(studiotest.Card(3), studiotest.PictureFile(t, "e.jpg", studiotest.Green), studiotest.PictureFile(t, "f.jpg", studiotest.Green), studiotest.PictureFile(t, "g.jpg", studiotest.Green))
	s.WaitCount(".thumbnail", 7)
	s.IsKept()
	before = s.exact()
	killed := s
	s = s.tab()
	killed.Kill()
	s.Visit()
	s.Ready()
	s.WaitCount(".thumbnail", 7)
	s.IsKept()
	if got := s.labels(); got != "red disc, blue disc, Class 3" {
		t.Errorf("the classes are %q", got)
	}
	s.ShowsColor(studiotest.Card(1)+" .thumbnail", studiotest.Red)
	s.ShowsColor(studiotest.Card(3)+" .thumbnail", studiotest.Green)
	if after := s.exact(); !same(before, after, order) {
		t.Errorf("scores %v, after the tab was killed %v", before, after)
	}
	s.Quiet()
}

// Several projects with their own classes: started, named, opened, copied, removed and restored.
func TestProjects(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.IsKept()
	first := s.exact()

	s.projects()
	s.WaitCount(".projects .row", 1) // the list is complete: nothing moves any more
	s.Click("#project-name")
	s.Eval(`document.querySelector("#project-name").select()`)
	s.Focus("#project-name")
	s.Keys("Discs\r")
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs"`)
	s.Click("#new-project")
	s.WaitCount(".thumbnail", 0)
	s.Name(1, "night")
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "h.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 1)
	s.IsKept()

	s.projects()
	s.WaitCount(".projects .row", 2)
	s.Shot("projects")
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		for _, scheme := range []string{"light", "dark"} {
			s.Window(390, 844)
			s.Scheme(scheme)
			s.Shot("projects-phone-" + scheme)
		}
		s.Window(1280, 800)
		s.Shot("projects-dark")
		s.Scheme("light")
	}
	s.Click(`.projects .row:not(.current) .opens`)
	s.WaitCount(".thumbnail", 4)
	if got := s.labels(); got != "red disc, blue disc" {
		t.Errorf("the classes are %q", got)
	}
	if again := s.exact(); !same(first, again, order) {
		t.Errorf("scores %v, opened again %v", first, again)
	}

	s.projects()
	s.Click(`.projects .row.current .copies`)
	s.WaitCount(".projects .row", 3)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs, copy"`)
	s.Click(`.projects .row.current .removes`)
	s.WaitFor(`document.querySelector('.message.news[data-key=removed]')`)
	s.Shot("project-removed")
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		s.Window(390, 844)
		s.Scheme("dark")
		s.Shot("project-removed-phone")
		s.Window(1280, 800)
		s.Scheme("light")
	}
	s.WaitFor(`document.querySelector("#open-projects .title").innerText !== "Discs, copy"`)
	s.Click(`.message.news .plain`)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs, copy"`)
	s.WaitCount(".thumbnail", 4)

	s.Revisit()
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Discs, copy"`)
	s.WaitCount(".thumbnail", 4)
	if again := s.exact(); !same(first, again, order) {
		t.Errorf("scores %v, of the copy %v", first, again)
	}
	s.Quiet()
}

// projects opens the dialog of projects.
func (s *studio) projects() {
	s.T.Helper()
	s.OpenDialog("#open-projects", "#projects")
}

// Buttons and keys undo and redo steps; the engine follows.
func TestUndo(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	before := s.exact()
	s.Click(studiotest.Card(1) + " .remove")
	s.WaitCount(".cards .card", 1)
	s.IsKept()
	s.Revisit() // steps survive a reload
	s.WaitCount(".cards .card", 1)
	s.WaitFor(`document.querySelector("#undo").title === "Undo: delete a class"`)
	s.Click("#undo")
	s.WaitCount(".cards .card", 2)
	s.WaitCount(".thumbnail", 4)
	s.ShowsColor(studiotest.Card(1)+" .thumbnail", studiotest.Red)
	if after := s.exact(); !same(before, after, order) {
		t.Errorf("scores %v, after undoing %v", before, after)
	}

	s.Click(studiotest.Card(2) + " .clear")
	s.WaitCount(".thumbnail", 2)
	s.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(2)))
	s.WaitCount(".thumbnail", 4)
	s.Do(chromedp.KeyEvent("y", chromedp.KeyModifiers(2)))
	s.WaitCount(".thumbnail", 2)
	s.Click("#undo")
	s.WaitCount(".thumbnail", 4)
	s.IsKept()
	if after := s.exact(); !same(before, after, order) {
		t.Errorf("scores %v, after undoing by keyboard %v", before, after)
	}
	s.Name(1, "cup")
	s.Click(studiotest.Card(1) + " input.name")
	s.Do(chromedp.KeyEvent("z", chromedp.KeyModifiers(2)))
	s.Drawn()
	s.WaitCount(".thumbnail", 4)
	s.Revisit()
	s.WaitCount(".thumbnail", 4)
	s.Quiet()
}

// A project file opens as another project with the same scores. Other files are rejected, and
// nothing is lost.
func TestProjectFiles(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.IsKept()
	before := s.exact()
	s.projects()
	s.Click("#save-file")
	file := s.Saved(".deepemd")
	s.Eval(`document.querySelector("#projects").close()`)

	s.Click(studiotest.Card(1) + " .clear")
	s.Click(studiotest.Card(2) + " .clear")
	s.WaitCount(".thumbnail", 0)
	s.IsKept()
	s.projects()
	s.Upload("#open-file", file)
	s.WaitCount(".thumbnail", 4)
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Project 1 (2)"`)
	s.IsKept()
	if after := s.exact(); !same(before, after, order) {
		t.Errorf("scores %v, opened from the file %v", before, after)
	}
	if got := s.labels(); got != "red disc, blue disc" {
		t.Errorf("the classes are %q", got)
	}

	data := require.Value(os.ReadFile(file))(t)
	newer := filepath.Join(t.TempDir(), "newer.deepemd")
	damaged := filepath.Join(t.TempDir(), "damaged.deepemd")
	features := filepath.Join(t.TempDir(), "features.deepemd")
	for path, content := range map[string][]byte{
		damaged:  data[:len(data)*2/3],
		newer:    withVersion(t, data, 7),
		features: ofFeatures(t),
	} {
		require.NoError(t, os.WriteFile(path, content, 0o644))
	}
	for _, c := range []struct{ path, says string }{
		{studiotest.TextFile(t, "letter.deepemd"), "not a project file"},
		{damaged, "damaged"},
		{newer, "newer version"},
		{features, "made with another network"},
	} {
		s.Drop(".view", c.path)
		s.WaitFor(fmt.Sprintf(`document.querySelector(".message.warning")?.innerText.includes(%q)`, c.says))
		if got := s.Text(".message.warning"); !strings.Contains(got, filepath.Base(c.path)) || !strings.Contains(got, "has not changed") {
			t.Errorf("the page says %q", got)
		}
		s.Shot("bad-project")
		s.Click(`.message button[aria-label="Dismiss"]`)
		s.WaitCount(".message", 0)
	}
	s.WaitCount(".thumbnail", 4)
	if after := s.exact(); !same(before, after, order) {
		t.Errorf("scores %v, after files that were refused %v", before, after)
	}
	s.Quiet()
}

// ofFeatures returns a project file of features, without images.
func ofFeatures(t *testing.T) []byte {
	t.Helper()
	l := require.Value(learner.NewFromFeatures(learner.Shape{Name: "words", Nodes: 1, Channels: 2}, learner.Options{Kit: learner.CommonParts()}))(t)
	require.NoError(t, l.Add("rain", learner.Picture{Embedding: []float32{1, 2}}))
	var file bytes.Buffer
	require.NoError(t, archive.Save(&file, l, project.Manifest{Name: "Words"}))
	return file.Bytes()
}

// A project that is open in one tab is not opened in another, which starts a new one.
func TestTwoTabs(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.IsKept()
	second := s.tab()
	second.Visit()
	second.WaitFor(`document.querySelector(".message.warning")?.innerText.includes("another tab")`)
	if got := second.Count(".thumbnail"); got != 0 {
		t.Errorf("%d examples in the second tab, want none", got)
	}
}

// withVersion returns a project file of another version.
func withVersion(t *testing.T, file []byte, version int) []byte {
	t.Helper()
	from := require.Value(zip.NewReader(bytes.NewReader(file), int64(len(file))))(t)
	manifest := require.Value(from.Open("manifest.json"))(t)
	text := require.Value(io.ReadAll(manifest))(t)
	var buf bytes.Buffer
	to := zip.NewWriter(&buf)
	w := require.Value(to.CreateHeader(&zip.FileHeader{Name: "manifest.json"}))(t)
	changed := bytes.Replace(text, fmt.Appendf(nil, `"version": %d`, project.Version), fmt.Appendf(nil, `"version": %d`, version), 1)
	require.Value(w.Write(changed))(t)
	require.NoError(t, to.Close())
	return buf.Bytes()
}
