//go:build !js

package studiotest

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Helpers for the tests of the example pages.

// Upload chooses files in a file field.
func (s *Studio) Upload(selector string, paths ...string) {
	s.T.Helper()
	s.Do(chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
}

// Portraits asserts that the page fits a phone without scrolling sideways, and saves screenshots of
// desktop and phone, light and dark, to the folder DEEPEMD_SCREENSHOTS.
func (s *Studio) Portraits(name string) {
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
			s.Do(chromedp.EmulateViewport(width, high))
			s.Calm()
			s.Screenshot(filepath.Join(dir, fmt.Sprintf("example-%s-%d-%s.png", name, width, scheme)))
		}
	}
	s.Do(chromedp.EmulateViewport(1280, 800))
}
