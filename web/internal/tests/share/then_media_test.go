//go:build !js

package share_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// The user's image and sound are saved with the project: they survive a reload, a file, and the
// project from that file. Other files are rejected.
func TestOwnPictureAndSound(t *testing.T) {
	words := texts.In("en").Then
	tone := make([]float32, 8000)
	for i := range tone {
		tone[i] = .5 * float32(math.Sin(float64(i)/4))
	}
	s := openThen(t, browsertest.Options{})
	s.Ready()
	s.teach()
	s.unfold()
	s.Click(row(1) + " .show")
	s.WaitFor(`document.querySelector("` + row(1) + ` .picture-file")`)
	s.Upload(row(1)+" .picture-file", studiotest.TextFile(t, "notes.txt"))
	s.WaitFor(`document.querySelector(".message")?.innerText.includes("notes.txt")`)
	s.Upload(row(1)+" .picture-file", studiotest.PictureFile(t, "own.jpg", studiotest.Green))
	s.WaitFor(`document.querySelector(".effect img")?.naturalWidth > 0`)
	s.Click(row(1) + " .sound") // its field takes the place of the picture's
	s.WaitFor(`document.querySelector("` + row(1) + ` select")`)
	s.Upload(row(1)+" .sound-file", studiotest.Recording(t, tone))
	s.WaitFor(`witness.played > 0 && document.querySelector("` + row(1) + ` select")?.selectedOptions[0].innerText === "` + words.OwnSound + `"`)
	s.Shot("then-own")
	s.IsKept()

	s.Revisit()
	s.unfold()
	s.WaitFor(`document.querySelector("` + row(1) + ` img.medium")?.naturalWidth > 0`)
	s.Click(row(1) + " .sample")
	s.WaitFor(`witness.played > 0 && document.querySelector(".effect img")?.naturalWidth > 0`)

	s.OpenDialog("#open-projects", "#projects")
	s.Click("#save-file")
	path := s.Saved(".deepemd")
	file := require.Value(os.Open(path))(t)
	defer file.Close()
	facts := require.Value(file.Stat())(t)
	opened := require.Value(archive.Read(file, facts.Size()))(t)
	actions := opened.Manifest.Actions()
	if len(actions.Rules) != 1 || len(actions.Media) != 2 ||
		!strings.HasPrefix(actions.Media[actions.Rules[0].Picture], "data:image/") || !strings.HasPrefix(actions.Media[actions.Rules[0].Sound], "data:audio/") {
		t.Errorf("the file has the rules %+v and %d media", actions.Rules, len(actions.Media))
	}

	s.Upload("#open-file", path)
	s.WaitFor(`document.querySelector("#open-projects")?.innerText.includes("(2)")`)
	s.WaitFor(`document.querySelector("` + row(1) + ` img.medium")?.naturalWidth > 0`)
	s.IsKept()
	s.Revisit()
	s.unfold()
	s.WaitFor(`document.querySelector("` + row(1) + ` img.medium")?.naturalWidth > 0`)
	s.Click(row(1) + " .sample")
	s.WaitFor(`witness.played > 0`)
	s.Quiet()
}
