//go:build !js

package keep_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	networks "github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A new version is fetched in the background and announced. It starts when the user agrees, and
// files that only the old version needed are deleted.
func TestNewVersionIsAnnouncedAndTakesOverWhenAsked(t *testing.T) {
	second := t.TempDir()
	require.NoError(t, os.CopyFS(second, os.DirFS(studiotest.SiteFolder(t))))
	change(t, filepath.Join(second, "index.html"), "<title>DeepEMD studio</title>", "<title>Version two</title>")
	worker := require.Value(publish.Worker(os.DirFS(second)))(t)
	require.NoError(t, os.WriteFile(filepath.Join(second, publish.WorkerScript), worker, 0o644))
	newer := require.Value(server.New(os.DirFS(second), nil, false))(t)
	var current atomic.Value
	current.Store(studiotest.Site(t))
	var weights atomic.Int32
	s := openSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/weights/") {
			weights.Add(1)
		}
		current.Load().(http.Handler).ServeHTTP(w, r)
	}), browsertest.Options{})
	s.Ready()
	s.kept()
	before := s.keys()
	fetchedWeights := weights.Load()
	for _, name := range []string{networks.ResNet12SFile, networks.ResNet12XSFile} {
		if strings.Contains(strings.Join(before, "\n"), "/"+name) {
			t.Errorf("%s is kept on every device", name)
		}
	}
	s.Name(1, "cup")

	current.Store(newer)
	s.Eval("navigator.serviceWorker.getRegistration().then((r) => r.update())")
	s.WaitFor(`document.querySelector(".message.news")`)
	s.Shot("update")
	if got := browsertest.Eval[string](s.Browser, `document.title + document.querySelector("input.name").value`); got != "DeepEMD studiocup" {
		t.Errorf("title and class are %q: the new version must wait", got)
	}
	s.Click(".message.news button.plain")
	s.WaitFor(`document.title === "Version two"`)
	s.Ready()
	s.WaitFor(fmt.Sprintf(`caches.open("deepemd").then((c) => c.keys()).then((keys) => keys.length === %d)`, len(before)))
	after := s.keys()
	fresh := 0
	for _, key := range after {
		if !strings.Contains(strings.Join(before, "\n"), key) {
			fresh++
		}
	}
	if fresh != 1 {
		t.Errorf("%d of %d files were kept anew, want the one that changed", fresh, len(after))
	}
	if got := weights.Load(); got != fetchedWeights {
		t.Errorf("the weights were asked for %d times more", got-fetchedWeights)
	}
	if names := browsertest.Eval[[]string](s.Browser, "caches.keys()"); len(names) != 1 {
		t.Errorf("caches %q, want one", names)
	}
	s.Quiet()
}

// The browser accepts the page as an installable app, and the settings say that it works offline.
func TestInstallable(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.kept()
	for _, e := range browsertest.Call(s.Browser, page.GetAppManifest, page.GetAppManifestParams{}).Errors {
		t.Errorf("manifest: %s", e.Message)
	}
	for _, e := range browsertest.Call(s.Browser, page.GetInstallabilityErrors, cdp.Empty{}).InstallabilityErrors {
		if e.ErrorID != "in-incognito" { // like the fresh profiles of tests
			t.Errorf("not installable: %s %v", e.ErrorID, e.ErrorArguments)
		}
	}
	s.OpenDialog("#open-settings", "#settings")
	s.WaitFor(`document.querySelector("#settings").innerText.includes("works without the internet")`)
	s.Quiet()
}

// kept waits until the browser has cached the page.
func (s *studio) kept() {
	s.T.Helper()
	s.WaitFor(`navigator.serviceWorker.getRegistration().then((r) => r?.active?.state === "activated" && Boolean(navigator.serviceWorker.controller))`)
}

// keys returns the addresses of the cached files.
func (s *studio) keys() []string {
	s.T.Helper()
	return browsertest.Eval[[]string](s.Browser, `caches.open("deepemd").then((c) => c.keys()).then((keys) => keys.map((r) => r.url))`)
}

// disconnection are the parameters of a disconnection. Chromium 148 has Offline for all rules, later
// versions in each rule; either ignores the other.
type disconnection struct {
	network.EmulateNetworkConditionsByRuleParams
	Offline bool `json:"offline"`
}

// offline disconnects the page from the network.
func (s *studio) offline() {
	s.T.Helper()
	disconnect := cdp.Command[disconnection, network.EmulateNetworkConditionsByRuleResult]{Method: network.CommandEmulateNetworkConditionsByRule}
	browsertest.Call(s.Browser, disconnect, disconnection{Offline: true, EmulateNetworkConditionsByRuleParams: network.EmulateNetworkConditionsByRuleParams{
		EmulateOfflineServiceWorker: new(true),
		MatchedNetworkConditions:    []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}},
	}})
	browsertest.Call(s.Browser, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true})
}

// change replaces text in a file.
func change(t *testing.T, path, from, to string) {
	t.Helper()
	data := require.Value(os.ReadFile(path))(t)
	if !strings.Contains(string(data), from) {
		t.Fatalf("%s lacks %q", path, from)
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o644))
}
