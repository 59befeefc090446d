package improve_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A network of one's own, here a vision transformer, takes the place of the page's: all
// examples are embedded again and answers are its own, until the page's is wanted back.
func TestImproveOwnNetwork(t *testing.T) {
	f := networktest.Transformer()
	f.Meta.Name = "mine"
	var file bytes.Buffer
	if err := f.Encode(&file, weights.F16); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mine.safetensors")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s := taught(t)
	s.Drop(".view", photographs(t, "n01882714", 20, 21)[0])
	s.WaitFor(`document.querySelector(".caption")?.innerText.startsWith("Koala")`, 20*time.Second)
	page := browsertest.Eval[string](s.Browser, `document.querySelector("#facts p").textContent`)
	s.Click("#open-settings")
	s.WaitFor(`document.querySelector("#settings[open]")`, 5*time.Second)
	s.Click("#expert summary")
	s.Do(chromedp.SetUploadFiles(chromedp.CSS("#own-weights"), []string{path}))
	s.WaitFor(`document.querySelector("#facts p").textContent.startsWith("mine · 84 px")`, 60*time.Second)
	s.WaitFor(`!document.querySelector(".setup .running")`, 60*time.Second)
	s.WaitFor(`document.querySelector("#expert").open`, 5*time.Second)
	s.Do(chromedp.ScrollIntoView(chromedp.CSS(".setup .expert")))
	s.Shot("own-network")
	s.Click(`#settings header button`)
	s.WaitFor(`/Teapot|Koala/.test(document.querySelector(".caption")?.innerText)`, 20*time.Second)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 7)

	s.Click("#open-settings")
	s.WaitFor(`document.querySelector("#settings[open]")`, 5*time.Second)
	s.Click("#page-weights")
	s.WaitFor(`document.querySelector("#facts p").textContent === `+"`"+page+"`", 60*time.Second)
	s.WaitFor(`document.querySelector(".caption")?.innerText.startsWith("Koala")`, 60*time.Second)
	s.Quiet()
}
