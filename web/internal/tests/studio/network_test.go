//go:build !js

package studio_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// networkFile returns a network file with a display name.
func networkFile(t *testing.T, f *weights.File, name string) []byte {
	t.Helper()
	f.Meta.Name = name
	var file bytes.Buffer
	require.NoError(t, f.Encode(&file, weights.F16))
	return file.Bytes()
}

// written writes a file for the page to read.
func written(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// experts opens the settings for experts.
func (s *studio) experts() {
	s.T.Helper()
	s.OpenDialog("#open-settings", "#settings")
	if s.Count("#expert[open]") == 0 {
		s.Click("#expert summary")
	}
	s.WaitFor(`document.querySelector("#expert").open && document.querySelector("#own-weights:not(:disabled)")`)
}

// offer chooses a network file, up to its figures.
func (s *studio) offer(path string) {
	s.T.Helper()
	s.Upload("#own-weights", path)
	s.WaitFor(`document.querySelector("#use-network, .not-used")`)
	if why := s.Text(".not-used"); why != "" {
		s.T.Fatalf("%s is refused: %s", path, why)
	}
}

// use uses the network on trial, until it is kept.
func (s *studio) use() {
	s.T.Helper()
	s.Click("#use-network")
	s.WaitFor(`document.querySelector("#network-now").innerText.includes("saved on this device")`)
	s.WaitFor(`!document.querySelector(".setup .running") && document.querySelector("#expert").open`)
}

// leave closes the settings.
func (s *studio) leave() {
	s.T.Helper()
	s.Click(`#settings header button`)
	s.WaitFor(`!document.querySelector("#settings[open]")`)
}

// asked returns the classes' shares of the probability to be known, for synthetic pixels, from the
// engine of an expression. The pixels resemble no class.
const asked = `(async (e) => {
	const data = Uint8Array.from({ length: 3 * 90 * 90 }, (_, i) => (i * 7 + (i % 3) * 90) & 255);
	const { scores } = await e.classify({ width: 90, height: 90, data });
	const known = scores.reduce((sum, s) => sum + s.score, 0);
	return scores.sort((a, b) => (a.id < b.id ? -1 : 1)).map((s) => s.score / known);
})`

func (s *studio) answers() []float64 {
	s.T.Helper()
	return browsertest.Eval[[]float64](s.Browser, "studio.engine.then("+asked+")")
}

// near reports whether answers are equal up to rounding errors.
func near(a, b []float64) bool {
	for i := range a {
		if len(a) != len(b) || !(math.Abs(a[i]-b[i]) <= 1e-5) {
			return false
		}
	}
	return true
}

// facts returns the name of the network in use.
func (s *studio) facts() string {
	s.T.Helper()
	return browsertest.Eval[string](s.Browser, `studio.engine.then((e) => e.info.name)`)
}

// A custom network, here a vision transformer, is measured before it replaces the page's. Then all
// examples are embedded again and it answers, even on the next visit and in a shared page, until it
// is removed.
func TestNetworkOfOnesOwn(t *testing.T) {
	file := networkFile(t, networktest.Transformer(), "mine")
	s := taught(t)
	before := s.answers()

	s.experts()
	if now := s.Text("#network-now"); now != network.ResNet12Photo+", the network of the page" || s.Count("#page-weights") != 0 {
		t.Errorf("at first the network is %q", now)
	}
	s.offer(written(t, "mine.safetensors", file))
	s.WaitFor(`document.activeElement.id === "network-figures" && document.querySelector(".measured").innerText`)
	figures := s.Text(".measured")
	for _, want := range []string{"Use mine?", "ViT", "ResNet-12", fmt.Sprintf("%.1f\u00a0MB", float64(len(file))/1e6), fmt.Sprintf("%.1f\u00a0MB", float64(len(network.ResNet12PhotoWeights()))/1e6), "36, from 84\u00a0px", "Answers per second here"} {
		if !strings.Contains(figures, want) {
			t.Errorf("the figures are %q, which lack %q", figures, want)
		}
	}
	if name := s.facts(); name != network.ResNet12Photo || !near(before, s.answers()) {
		t.Errorf("before the person decides, %s answers", name)
	}
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		s.shots("own-network-figures", ".measured")
	}
	s.Click("#cancel-network")
	s.WaitFor(`!document.querySelector(".measured") && document.activeElement.id === "own-weights"`)
	if name := s.facts(); name != network.ResNet12Photo || !near(before, s.answers()) || s.Count("#page-weights") != 0 {
		t.Errorf("after the person has called it off, %s answers", name)
	}

	s.offer(written(t, "mine.safetensors", file))
	s.use()
	if now, want := s.Text("#network-now"), fmt.Sprintf("mine, your own, %.1f\u00a0MB · saved on this device", float64(len(file))/1e6); now != want {
		t.Errorf("the network is %q, want %q", now, want)
	}
	s.ScrollTo(".setup .network")
	s.Shot("own-network")
	s.leave()
	own := s.answers()
	if name := s.facts(); name != "mine" || near(before, own) {
		t.Errorf("%s answers %v, as %v before", name, own, before)
	}
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 7)
	s.IsKept()

	s.Revisit()
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 7)
	s.Knows(14)
	if name := s.facts(); name != "mine" || !near(own, s.answers()) {
		t.Errorf("on the next visit %s answers %v, want %v", name, s.answers(), own)
	}

	s.OpenDialog("#open-projects", "#projects")
	s.WaitFor(`document.querySelector("#share-network")?.innerText.includes("about 2\u00a0MB")`)
	s.Shot("own-network-share")
	s.Click("#share-page")
	shared := s.Saved(".html")
	if facts, err := os.Stat(shared); err != nil || facts.Size() < 1_500_000 || facts.Size() > 3_000_000 {
		t.Errorf("the page takes %d bytes, %v", facts.Size(), err)
	}
	s.Click("#save-file")
	saved := s.Saved(".deepemd")
	s.OpenDialog("#embed-project", "#embedding")
	s.Click(`#embedding input[value="element"]`)
	s.WaitFor(`document.querySelector("#embedding-code").value.includes(' weights="'+location.origin+'/pages/mine.safetensors"')`)
	if got := s.Text("#embedding-network"); !strings.Contains(got, "/pages/mine.safetensors") {
		t.Errorf("of the network's file it says %q", got)
	}
	s.Shot("own-network-embedding")
	s.Click("#embedding header button")
	page := s.NewTab()
	page.Open("file://" + shared)
	page.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	if got := browsertest.Eval[[]float64](page.Browser, asked+"(engine)"); !near(own, got) {
		t.Errorf("the shared page answers %v, want %v", got, own)
	}
	page.NoProblems()

	s.experts()
	s.Click("#page-weights")
	s.WaitFor(`document.querySelector("#network-now").innerText.startsWith("` + network.ResNet12Photo + `") && !document.querySelector("#page-weights")`)
	s.leave()
	if !near(before, s.answers()) {
		t.Errorf("the page's network answers %v, want %v as at first", s.answers(), before)
	}
	s.IsKept()
	s.Revisit()
	s.Knows(14)
	if name := s.facts(); name != network.ResNet12Photo || !near(before, s.answers()) {
		t.Errorf("after it was removed, %s answers on the next visit", name)
	}
	if n := browsertest.Eval[int](s.Browser, storedSlices); n != 0 {
		t.Errorf("%d slices of the network are still kept", n)
	}

	s.OpenDialog("#open-projects", "#projects")
	s.Upload("#open-file", saved)
	s.WaitFor(`document.querySelector(".message")?.innerText.includes("taught with another network: mine")`)
	s.Quiet()
}

// storedSlices counts the stored parts of networks.
const storedSlices = `new Promise((resolve, reject) => {
	const request = indexedDB.open("deepemd-networks");
	request.onerror = () => reject(request.error);
	request.onsuccess = () => {
		const count = request.result.transaction("slices").objectStore("slices").count();
		count.onsuccess = () => resolve(count.result);
	};
})`

// shots takes screenshots of an element in the settings, at the widths of a phone and a desktop,
// light and dark.
func (s *studio) shots(name, selector string) {
	s.T.Helper()
	for _, w := range []struct {
		name          string
		width, height int
	}{{"desktop", 1280, 800}, {"phone", 390, 844}} {
		for _, scheme := range []string{"light", "dark"} {
			s.Window(w.width, w.height)
			s.Scheme(scheme)
			s.ScrollTo(selector)
			s.Calm()
			s.Shot(name + "-" + w.name + "-" + scheme)
		}
	}
	s.Scheme("light")
	s.Window(1280, 800)
}

// Invalid and truncated network files are rejected with the reason, and change nothing.
func TestNetworkRefused(t *testing.T) {
	s := taught(t)
	before := s.answers()
	good := networkFile(t, networktest.Residual(true), "mine")
	foreign := bytes.Replace(good, []byte(`"arch":"resnet"`), []byte(`"arch":"abacus"`), 1)
	// turn the last half float into NaN
	nan := append(good[:len(good)-2:len(good)-2], 0x00, 0x7e)
	s.experts()
	for _, c := range []struct {
		name    string
		content []byte
		says    string
	}{
		{"notes.safetensors", []byte("These are notes, not a network.\n"), "The file contains no network that runs here"},
		{"empty.safetensors", nil, "The file contains no network that runs here"},
		{"half.safetensors", good[:len(good)/2], "The end of the file is missing"},
		{"foreign.safetensors", foreign, "The file contains no network that runs here"},
		{"nan.safetensors", nan, "The file contains no network that runs here"},
	} {
		s.Upload("#own-weights", written(t, c.name, c.content))
		s.WaitFor(`document.querySelector(".not-used")`)
		if got := s.Text(".not-used"); !strings.Contains(got, c.name+" cannot be used") || !strings.Contains(got, c.says) || !strings.Contains(got, "Nothing has changed.") {
			t.Errorf("of %s the page says %q, want %q", c.name, got, c.says)
		}
		if c.name == "nan.safetensors" && os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
			s.Click(".not-used summary")
			s.shots("own-network-refused", ".not-used")
		}
		s.Click("#close-network")
		s.WaitCount(".not-used", 0)
	}
	if now := s.Text("#network-now"); now != network.ResNet12Photo+", the network of the page" {
		t.Errorf("the network is %q", now)
	}
	s.leave()
	if !near(before, s.answers()) {
		t.Error("other answers than before")
	}
	if n := browsertest.Eval[int](s.Browser, storedSlices); n != 0 {
		t.Errorf("%d slices of networks are kept", n)
	}
	s.Quiet()
}

// Pages for images and for sounds have separate networks.
func TestNetworkOfSounds(t *testing.T) {
	f := require.Value(weights.Decode("sounds", network.ResNet12SoundWeights()))(t)
	s := open(t, browsertest.Options{})
	s.Hear()
	s.experts()
	s.offer(written(t, "mine.safetensors", networkFile(t, f, "mine")))
	s.Shot("own-network-sounds")
	s.use()
	s.Visit()
	s.Ready()
	if name := s.facts(); name != network.ResNet12Photo {
		t.Errorf("of pictures %s answers", name)
	}
	s.Hear()
	if name := s.facts(); name != "mine" {
		t.Errorf("of sounds %s answers", name)
	}
	s.Quiet()
}
