//go:build !js

package why_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// slide moves a slider by its input event.
func (s *studio) slide(selector string, value int) {
	s.T.Helper()
	s.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %d; e.dispatchEvent(new Event("input", { bubbles: true })); })()`, selector, value))
}

// taught opens the studio with six teapots and six koalas; one koala is among the teapots, and one
// is there twice.
func taught(t *testing.T) *studio {
	t.Helper()
	teapots, koalas := studiotest.Photographs(t, "n04398044", 0, 6), studiotest.Photographs(t, "n01882714", 0, 7)
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Name(1, "Teapot")
	s.Name(2, "Koala")
	s.Give(1, append(teapots, koalas[6])...)
	s.Give(2, append(koalas[:6], koalas[0])...)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 7)
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 7)
	return s
}

// focuses waits until an element has the focus, which was on a button that disappears.
func (s *studio) focuses(id string) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.activeElement.id === %q`, id))
}

const mixedUp = `.confusion tbody tr:nth-child(1) td:nth-of-type(2) button`

// The review lists the misclassified example, the duplicate and the mislabeled example; a click shows
// one, and another removes it.
func TestImproveExamples(t *testing.T) {
	s := taught(t)
	s.WaitFor(`document.querySelector(".checks [data-problem=twin]") && !document.querySelector(".improve .busy")`)
	s.WaitFor(fmt.Sprintf("document.querySelector(%q)", mixedUp))
	if !s.Is(`[...document.querySelectorAll(".confusion th .label")].every((label) => getComputedStyle(label).webkitLineClamp === "2" && getComputedStyle(label).maxHeight === "none")`) {
		t.Error("long names end without an ellipsis in the table")
	}
	s.ScrollTo(".learn")
	s.Shot("improve")
	s.Click(mixedUp)
	s.WaitFor(`document.querySelector(".picked li") && document.activeElement.matches(".picked h3")`)
	if got := s.Text(".picked h3"); got != "Teapot recognized as Koala" {
		t.Errorf("what was opened is headed %q", got)
	}
	koala := browsertest.Eval[string](s.Browser, `document.querySelector(".cards .card:nth-child(1) .thumbnail:nth-child(7)").dataset.example`)
	if !browsertest.Eval[bool](s.Browser, fmt.Sprintf(`!!document.querySelector(".picked li[data-example='%s']")`, koala)) {
		t.Fatal("the koala among the teapots is not among those taken for koalas")
	}
	if !browsertest.Eval[bool](s.Browser, `[...document.querySelectorAll(".picked li")].every((l) =>
		l.querySelector(".remove").getBoundingClientRect().right <= l.querySelector(".example-picture").getBoundingClientRect().right)`) {
		t.Error("a button that removes an example is beside its picture")
	}
	remove := fmt.Sprintf(".picked li[data-example='%s'] .remove", koala)
	if got := browsertest.Eval[string](s.Browser, fmt.Sprintf(`document.querySelector(%q).ariaLabel`, remove)); got != "Remove example 7 of Teapot" {
		t.Errorf("the button that removes the koala is called %q", got)
	}
	s.ScrollTo(".picked")
	s.Shot("improve-picked")
	s.Click(remove)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 6)
	s.WaitFor(fmt.Sprintf(`!document.querySelector(".picked li[data-example='%s']") && !document.querySelector(".improve .busy")`, koala))
	s.Click("#undo")
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 7)
	s.WaitFor(fmt.Sprintf(`document.querySelector(".picked li[data-example='%s']") && !document.querySelector(".improve .busy")`, koala))

	s.Click("#picked-done")
	s.focuses("improve-confusion")
	s.WaitFor(`document.querySelector(".mislabeled li")`)
	if named := browsertest.Eval[string](s.Browser, `[...document.querySelectorAll(".mislabeled li")].map((l) => l.dataset.example).join()`); named != koala {
		t.Errorf("%s are said to be mislabeled, want the koala %s", named, koala)
	}
	s.ScrollTo(".checks")
	s.Shot("improve-mislabeled")
	s.Click("#move-mislabeled")
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 8)
	s.Click("#undo")
	s.WaitFor(`document.querySelector("#remove-mislabeled")`)
	s.Click("#remove-mislabeled")
	s.focuses("improve-checks")
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 6)
	s.WaitFor(`document.querySelector(".checks") && !document.querySelector(".mislabeled") && !document.querySelector(".improve .busy")`)

	s.IsKept()
	s.Eval("location.reload()")
	s.WaitFor(`document.querySelector(".studio:not([inert])")`)
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 7)
	words := texts.In("en")
	if got := s.Text(".why .wait"); got != words.Why.Nothing {
		t.Errorf("the reasons say %q, want %q", got, words.Why.Nothing)
	}
	s.WaitFor(fmt.Sprintf(`![...document.querySelectorAll(".improve .wait")].some((w) => w.innerText === %q)`, words.Improve.Waiting))
	s.WaitFor(`document.querySelector(".checks [data-problem=twin]")`)
	s.Quiet()
}

// A cat beside teapots and koalas is unknown with the right strictness; a disabled class is not in the
// answer.
func TestImproveUnknownAndPassedOver(t *testing.T) {
	s := taught(t)
	s.Drop(".view", studiotest.Photographs(t, "n02123394", 40, 41)[0])
	s.WaitFor(`document.querySelector(".histogram .own")`)
	s.slide("#strictness", 0)
	s.WaitFor(`/Teapot|Koala/.test(document.querySelector(".caption")?.innerText)`)
	lenient := s.Text("#unknown-rates")
	s.slide("#strictness", 100)
	s.WaitFor(`document.querySelector(".caption")?.innerText === "Unknown"`)
	if strict := s.Text("#unknown-rates"); strict == lenient || !strings.Contains(strict, "mistaken for your classes") {
		t.Errorf("strict says %q, lenient %q", strict, lenient)
	}
	s.ScrollTo(".strangers")
	s.Shot("improve-unknown")
	s.Click("#look-for-unknown")
	s.WaitFor(`/Teapot|Koala/.test(document.querySelector(".caption")?.innerText)`)

	s.Click(studiotest.Card(1) + " .enable")
	s.WaitCount(".bars .bar", 1)
	s.WaitFor(`document.querySelector(".caption")?.innerText.startsWith("Koala")`)
	s.Shot("passed-over")
	s.Click(studiotest.Card(1) + " .enable")
	s.WaitCount(".bars .bar", 2)
	s.Quiet()
}

// Other methods keep every example, answer immediately, and are kept for the next visit.
func TestImproveModes(t *testing.T) {
	crops := method.Embedder{Kind: method.Sampling}.Complete().String()
	s := taught(t)
	s.Drop(".view", studiotest.Photographs(t, "n01882714", 20, 21)[0])
	s.WaitFor(`document.querySelector(".caption")?.innerText.startsWith("Koala")`)
	s.OpenDialog("#open-settings", "#settings")
	s.Click(`input[name=mode][value=balanced]`)
	s.WaitFor(`document.querySelector("#embedder").value.includes("pyramid")`)
	s.WaitFor(`!document.querySelector(".setup .running")`)
	if got := browsertest.Eval[string](s.Browser, `document.querySelector("input[name=mode]:checked").value`); got != "balanced" {
		t.Fatalf("the mode is %q", got)
	}
	s.Shot("modes")
	s.Click("#expert summary")
	s.ScrollTo(".setup .expert")
	s.Shot("modes-expert")
	choose := func(field, value string) {
		s.Eval(fmt.Sprintf(`const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true }))`, field, value))
	}
	choose("#embedder", crops)
	s.WaitFor(`document.querySelector(".setup .running")`)
	s.Shot("modes-changing")
	s.WaitFor(`!document.querySelector(".setup .running")`)
	choose("#classifier", "nearest")
	s.WaitFor(`document.querySelector("input[name=mode]:checked").value === "custom"`)
	s.Upload("#own-weights", studiotest.TextFile(t, "mine.safetensors"))
	s.WaitFor(`document.querySelector(".not-used")?.innerText.includes("safetensors")`)
	s.Click(`#settings header button`)
	s.WaitFor(`document.querySelector(".caption")?.innerText.startsWith("Koala")`)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 7)
	s.WaitFor(`document.querySelector("#kept.saved")`)

	s.Eval("location.reload()")
	s.WaitFor(`document.querySelector(".studio:not([inert])")`)
	s.Ready()
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 7)
	s.OpenDialog("#open-settings", "#settings")
	s.WaitFor(`document.querySelector("input[name=mode]:checked")?.value === "custom" && document.querySelector("#classifier").value === "nearest"`)
	if got := browsertest.Eval[string](s.Browser, `document.querySelector("#embedder").value`); got != crops {
		t.Errorf("the project was kept with %s and opens with %s", crops, got)
	}
	s.Quiet()
}

// A zip archive of folders, and a dropped folder, test the classifier; the mistakes are listed.
func TestImproveTrial(t *testing.T) {
	s := taught(t)
	folder := t.TempDir()
	archive := filepath.Join(t.TempDir(), "new.zip")
	f := require.Value(os.Create(archive))(t)
	z := zip.NewWriter(f)
	for _, class := range []struct{ name, wordnet string }{{"teapot", "n04398044"}, {"Koala", "n01882714"}, {"bus", "n04487081"}} {
		require.NoError(t, os.Mkdir(filepath.Join(folder, class.name), 0o755))
		for i, img := range studiotest.TinyImageNet(t, class.wordnet, 30, 35) {
			path := studiotest.WritePicture(t, filepath.Join(folder, class.name, fmt.Sprintf("%d.jpg", i)), img)
			w := require.Value(z.Create(fmt.Sprintf("new/%s/%d.jpg", class.name, i)))(t)
			content := require.Value(os.ReadFile(path))(t)
			require.Value(w.Write(content))(t)
		}
	}
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	s.WaitFor(`document.querySelector("#test-zip")`)
	outcome := func() string {
		s.T.Helper()
		s.WaitFor(`document.querySelector(".trial .accuracy")?.innerText.includes("of 15 pictures") && !document.querySelector(".trial .running")`)
		return s.Text(".trial .accuracy")
	}
	s.Upload("#test-zip", archive)
	zipped := outcome()
	if got := s.Text(".trial"); !strings.Contains(got, "Counted as unknown: bus") {
		t.Errorf("the test says %q, want the folder of no class named", got)
	}
	s.ScrollTo(".trial .matrix")
	s.Shot("trial")
	if clipped := browsertest.Eval[bool](s.Browser, `[...document.querySelectorAll(".matrix")].some((m) => m.scrollWidth > m.clientWidth)`); clipped {
		t.Error("a table is wider than its part")
	}
	if used := browsertest.Eval[float64](s.Browser, `document.querySelector(".trial .outcome").lastElementChild.getBoundingClientRect().right / document.querySelector(".trial .another").getBoundingClientRect().right`); used < 0.98 {
		t.Errorf("the outcome uses %.0f%% of the card's width", 100*used)
	}
	s.Drop(".trial", folder)
	s.WaitFor(`document.querySelector(".trial .running")`)
	if dropped := outcome(); dropped != zipped {
		t.Errorf("the folder gives %q, the same in an archive %q", dropped, zipped)
	}
	// A change makes the result old, and the same test can be repeated.
	s.Click(studiotest.Card(1) + " .thumbnail:nth-child(2) button")
	s.WaitFor(`document.querySelector(".trial.old #test-again")`)
	s.ScrollTo(".trial")
	s.Shot("trial-old")
	s.Click("#test-again")
	s.focuses("trial")
	s.WaitFor(`!document.querySelector(".trial.old")`)
	outcome()
	s.Click("#close-test")
	s.WaitFor(`document.querySelector("#test-zip") && !document.querySelector("#close-test")`)
	s.focuses("trial")
	s.Upload("#test-zip", studiotest.TextFile(t, "broken.zip"))
	s.WaitFor(`document.querySelector(".message.warning")?.innerText.includes("broken.zip")`)

	s.WaitFor(`/about \d+ (second|minute)s? on this device/.test(document.querySelector("#learn-time")?.innerText)`)
	s.Click("#train")
	s.focuses("learned")
	s.WaitFor(`/aside to check/.test(document.querySelector("#learned").innerText)`)
	s.Shot("learned")
	if !browsertest.Eval[bool](s.Browser, `(() => {
		const text = document.querySelector("#learned").innerText, [, before, after] = /recognized (\d+) before, and (\d+)/.exec(text);
		return text.startsWith(+after > +before ? "The page now uses" : "Learning does not help");
	})()`) {
		t.Errorf("after learning the page says %q", s.Text("#learned"))
	}
	s.Quiet()
}
