package web_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/hosting"
)

// An exported site works in a folder of a plain file server that knows nothing of
// it: no headers, no types beyond the usual, no compression; with weights in
// pieces; and then without any server.
func TestExportedSiteInAFolderOfAFileServer(t *testing.T) {
	if err := buildSite(); err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	const piece = 1 << 20 // to have several
	if err := hosting.Export(filepath.Join(top, "a", "b"), os.DirFS(filepath.Join(folder, "site")), hosting.Options{Piece: piece}); err != nil {
		t.Fatal(err)
	}
	pieces, err := filepath.Glob(filepath.Join(top, "a", "b", "weights", "*.safetensors.*"))
	if err != nil || len(pieces) < 3 {
		t.Fatalf("weights in the pieces %q (%v), want some", pieces, err)
	}
	var mu sync.Mutex
	var outside []string
	plain := http.FileServer(http.Dir(top))
	file := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !within(r.URL.Path, "/a/b") && r.URL.Path != "/favicon.ico" { // for which browsers ask by themselves
			mu.Lock()
			outside = append(outside, r.URL.Path)
			mu.Unlock()
		}
		plain.ServeHTTP(w, r)
	}))
	t.Cleanup(file.Close)
	s := &studio{browsertest.Start(t, browsertest.Options{}), t, file.URL + "/a/b"}
	s.reload()
	s.ready()
	s.drop(card(1), pictureFile(t, "red.jpg", red))
	s.drop(card(2), pictureFile(t, "blue.jpg", blue))
	s.tellsColours()
	s.isKept()
	s.kept()
	file.Close()
	s.offline()
	s.reload()
	s.ready()
	s.tellsColours()
	mu.Lock()
	defer mu.Unlock()
	if len(outside) > 0 {
		t.Errorf("the page asked for %q, which is outside of its folder", outside)
	}
	s.quiet()
}

// tellsColours has a picture classified by the two that were taught.
func (s *studio) tellsColours() {
	s.t.Helper()
	s.waitCount(".thumbnail", 2)
	s.drop(".view", pictureFile(s.t, "another.jpg", blue))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Class 2")`, 20*time.Second)
}
