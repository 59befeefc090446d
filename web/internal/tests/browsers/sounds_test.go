//go:build !js

package browsers_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Spoken words are added as files, and saved with their sounds. The microphone starts, or reports
// why not.
func TestSounds(t *testing.T) {
	record := func(digit, from, to int) (files []string) {
		for take := from; take < to; take++ {
			files = append(files, studiotest.Recording(t, studiotest.Spoken(t, digit, "george", take)))
		}
		return files
	}
	classes := []class{{"Seven", record(7, 0, 3)}, {"Zero", record(0, 0, 2)}}
	browsertest.InEach(t, func(t *testing.T, kind browsertest.Kind) {
		s := open(t, kind, "/")
		s.Hear()
		s.teach(classes)
		s.Shot("sounds")
		s.kept("/#sounds", classes)
		s.WaitFor(`[...studio.gallery.contents.keys()].filter((id) => studio.gallery.second(id)?.length === 16000).length === 5`)
		s.Click(studiotest.Card(1) + " .thumbnail img")

		s.Click("#start")
		s.WaitFor(`document.querySelector("#heard:not(.hidden)") || document.querySelector(".invitation.problem")`)
		if problem := s.Text(".invitation.problem"); problem != "" {
			t.Logf("%s does not listen here: %s", kind.Name, problem)
		} else {
			t.Logf("%s listens", kind.Name)
		}
		s.Shot("microphone")
		s.nothingLeft()
	})
}
