//go:build !js

package embed_test

import (
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// demo contains five images each of apples, bananas, cats and oranges.
const demo = "../../../static/web/demo"

func TestMain(m *testing.M) { testsite.Main(m) }

// open serves the built site and opens a page in a new browser.
func open(t *testing.T, path string, opt browsertest.Options) *studiotest.Studio {
	t.Helper()
	server := httptest.NewServer(studiotest.Site(t))
	t.Cleanup(server.Close)
	s := studiotest.OpenPage(t, server.URL+path, opt)
	s.Origin = server.URL
	return s
}

// files returns the demo's images of a thing with the given numbers.
func files(t *testing.T, thing string, numbers ...int) (paths []string) {
	t.Helper()
	for _, n := range numbers {
		path := require.Value(filepath.Abs(filepath.Join(demo, fmt.Sprintf("%s-%d.jpg", thing, n))))(t)
		paths = append(paths, path)
	}
	return paths
}

// pictures returns the decoded images, for the fake camera.
func pictures(t *testing.T, thing string, numbers ...int) (decoded []image.Image) {
	t.Helper()
	for _, path := range files(t, thing, numbers...) {
		f, err := os.Open(path)
		require.NoError(t, err)
		picture, err := jpeg.Decode(f)
		f.Close()
		require.NoError(t, err)
		decoded = append(decoded, picture)
	}
	return decoded
}

// portraits asserts that the page fits a phone without scrolling sideways, and saves screenshots of
// desktop and phone, light and dark, to the folder DEEPEMD_SCREENSHOTS.
func portraits(s *studiotest.Studio, name string) {
	s.T.Helper()
	dir := os.Getenv("DEEPEMD_SCREENSHOTS")
	for _, scheme := range []string{"dark", "light"} {
		s.Scheme(scheme)
		for _, width := range []int{1280, 390} {
			s.Window(width, 844)
			if wide := browsertest.Eval[int](s.Browser, `document.documentElement.scrollWidth`); wide > width {
				s.T.Errorf("%s is %d px wide in a window of %d", name, wide, width)
			}
			if dir == "" {
				continue
			}
			high := browsertest.Eval[int](s.Browser, `Math.min(2400, document.documentElement.scrollHeight)`)
			s.Window(width, high)
			s.Calm()
			s.Screenshot(filepath.Join(dir, fmt.Sprintf("example-%s-%d-%s.png", name, width, scheme)))
		}
	}
	s.Window(1280, 800)
}

// An example whose model is missing says so, instead of loading forever.
func TestExamplesShowAFailedStart(t *testing.T) {
	site := studiotest.Site(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".safetensors") {
			http.NotFound(w, r)
			return
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s := studiotest.OpenPage(t, server.URL+"/examples/", browsertest.Options{})
	for _, example := range []string{"plain", "element", "game", "search", "gallery", "sort", "sound"} {
		s.Open(server.URL + "/examples/" + example + "/")
		s.WaitFor(`document.body.innerText.includes("404")`)
	}
}
