//go:build !js

package keep_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// An exported site works in a folder of a plain file server without headers, special types or
// compression, with weights in several parts; then without a server.
func TestExportedSiteInAFolderOfAFileServer(t *testing.T) {
	top := t.TempDir()
	const piece = 1 << 20
	require.NoError(t, publish.Export(filepath.Join(top, "a", "b"), os.DirFS(studiotest.SiteFolder(t)), publish.ExportOptions{Piece: piece}))
	pieces, err := filepath.Glob(filepath.Join(top, "a", "b", "weights", "*.safetensors.*"))
	if err != nil || len(pieces) < 3 {
		t.Fatalf("weights in the pieces %q (%v), want some", pieces, err)
	}
	var mu sync.Mutex
	var outside []string
	plain := http.FileServer(http.Dir(top))
	file := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !studiotest.Inside(r.URL.Path, "/a/b") && r.URL.Path != "/favicon.ico" { // browsers request it by themselves
			mu.Lock()
			outside = append(outside, r.URL.Path)
			mu.Unlock()
		}
		plain.ServeHTTP(w, r)
	}))
	t.Cleanup(file.Close)
	s := &studio{studiotest.OpenAt(t, file.URL+"/a/b", browsertest.Options{})}
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.tellsColors()
	s.IsKept()
	s.kept()
	file.Close()
	s.offline()
	s.Visit()
	s.Ready()
	s.tellsColors()
	mu.Lock()
	defer mu.Unlock()
	if len(outside) > 0 {
		t.Errorf("the page asked for %q, which is outside of its folder", outside)
	}
	s.Quiet()
}

// tellsColors classifies an image with two classes of colors.
func (s *studio) tellsColors() {
	s.T.Helper()
	s.WaitCount(".thumbnail", 2)
	s.Drop(".view", studiotest.PictureFile(s.T, "another.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Class 2")`)
}
