package examples_test

import (
	"fmt"
	"image"
	"image/jpeg"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// demo holds pictures of apples, bananas, cats and oranges: five of each.
const demo = "../../static/web/demo"

func TestMain(m *testing.M) { os.Exit(studiotest.Main(m)) }

// open serves the built site and opens a page of it in a browser of its own.
func open(t *testing.T, path string, opt browsertest.Options) *studiotest.Studio {
	t.Helper()
	server := httptest.NewServer(studiotest.Site(t))
	t.Cleanup(server.Close)
	s := &studiotest.Studio{Browser: browsertest.Start(t, opt), T: t, Origin: server.URL}
	s.Open(s.Origin + path)
	return s
}

// files are the demo's pictures of a thing with the given numbers.
func files(t *testing.T, thing string, numbers ...int) (paths []string) {
	t.Helper()
	for _, n := range numbers {
		path, err := filepath.Abs(filepath.Join(demo, fmt.Sprintf("%s-%d.jpg", thing, n)))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// pictures are the same, decoded: what the fake camera shows.
func pictures(t *testing.T, thing string, numbers ...int) (decoded []image.Image) {
	t.Helper()
	for _, path := range files(t, thing, numbers...) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := jpeg.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		decoded = append(decoded, picture)
	}
	return decoded
}

// upload gives files to a file field.
func upload(s *studiotest.Studio, selector string, paths ...string) {
	s.T.Helper()
	s.Do(chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
}

// portraits asserts that the page fits a phone, without a bar to scroll sideways, and saves
// what it looks like, on a desk and on a phone, light and dark, where DEEPEMD_SCREENSHOTS says.
func portraits(s *studiotest.Studio, name string) {
	s.T.Helper()
	dir := os.Getenv("DEEPEMD_SCREENSHOTS")
	for _, scheme := range []string{"dark", "light"} {
		s.Do(s.Scheme(scheme))
		for _, width := range []int64{1280, 390} {
			s.Do(chromedp.EmulateViewport(width, 844))
			if wide := browsertest.Eval[int64](s.Browser, `document.documentElement.scrollWidth`); wide > width {
				s.T.Errorf("%s is %d px wide in a window of %d", name, wide, width)
			}
			if dir == "" {
				continue
			}
			high := browsertest.Eval[int64](s.Browser, `Math.min(2400, document.documentElement.scrollHeight)`)
			s.Do(chromedp.EmulateViewport(width, high), chromedp.Sleep(300*time.Millisecond))
			s.Screenshot(filepath.Join(dir, fmt.Sprintf("example-%s-%d-%s.png", name, width, scheme)))
		}
	}
	s.Do(chromedp.EmulateViewport(1280, 800))
}
