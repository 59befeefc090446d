//go:build !js

package why_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// The tables of eight classes with long names are not clipped.
func TestImproveTablesOfManyClasses(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	folder := t.TempDir()
	for i, wordnet := range []string{"n04398044", "n01882714", "n04487081", "n02123394", "n07871810", "n02099601", "n02123045", "n02480495"} {
		if i > 1 {
			s.Click("#add-class")
			s.WaitCount(".cards .card", i+1)
		}
		name := fmt.Sprintf("A thing with a name, number %d", i+1)
		s.Name(i+1, name)
		s.Give(i+1, studiotest.Photographs(t, wordnet, 0, 2)...)
		require.NoError(t, os.Mkdir(filepath.Join(folder, name), 0o755))
		for k, img := range studiotest.TinyImageNet(t, wordnet, 30, 31) {
			studiotest.WritePicture(t, filepath.Join(folder, name, fmt.Sprintf("%d.jpg", k)), img)
		}
	}
	s.WaitFor(`studio.gallery.contents.size === 16 && document.querySelector(".confusion td") && !document.querySelector(".improve .busy")`)
	s.Drop(".trial", folder)
	s.WaitFor(`document.querySelector(".trial .accuracy")?.innerText.includes("of 8") && !document.querySelector(".trial .running")`)
	for _, width := range []int{1280, 1920} {
		s.Window(width, 900)
		if clipped := browsertest.Eval[string](s.Browser, `[...document.querySelectorAll(".matrix")].filter((m) => m.scrollWidth > m.clientWidth).map((m) => m.scrollWidth + " of " + m.clientWidth).join()`); clipped != "" {
			t.Errorf("at %d px a table is clipped: %s", width, clipped)
		}
		s.Eval(`document.querySelector(".confusion").scrollIntoView()`)
		s.Shot(fmt.Sprintf("improve-many-%d", width))
		s.Eval(`document.querySelector(".trial").scrollIntoView()`)
		s.Shot(fmt.Sprintf("trial-many-%d", width))
	}
	if os.Getenv("DEEPEMD_SCREENSHOTS") != "" {
		s.Window(390, 844)
		s.Eval(`document.querySelector(".trial").scrollIntoView()`)
		s.Shot("trial-many-390")
	}
	s.Quiet()
}
