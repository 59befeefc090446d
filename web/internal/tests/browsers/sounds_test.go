//go:build !js

package browsers_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/network/resnet12sound"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/browsertest/webdriver"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Spoken words are added and asked as files, and saved with their sounds. The microphone starts, or
// reports why not.
func TestSounds(t *testing.T) {
	long(t)
	record := func(digit, from, to int) (files []string) {
		for take := from; take < to; take++ {
			files = append(files, studiotest.Recording(t, studiotest.Spoken(t, digit, "george", take)))
		}
		return files
	}
	classes := []class{{"Seven", record(7, 0, 3)}, {"Zero", record(0, 0, 2)}}
	queries := append(record(7, 3, 5), record(0, 3, 5)...)
	want := natively(t, resnet12sound.Weights(), sound.ForLearner(), classes, queries)
	var first reference
	inEach(t, func(t *testing.T, kind webdriver.Kind) {
		s := open(t, kind, "/")
		s.ready()
		s.Click("#hear")
		s.WaitFor(`document.querySelector("#heard") && !document.querySelector("[inert]")`)
		s.ready()
		s.teach(classes)
		var got []scores
		for _, query := range queries {
			got = append(got, s.ask(query))
		}
		sameScores(t, kind.Name, got, "native code", want, fromNative)
		first.compare(t, kind, got)
		s.Shot("sounds")
		s.kept("/#sounds", classes)
		s.WaitFor(`[...studio.gallery.contents.keys()].filter((id) => studio.gallery.second(id)?.length === 16000).length === 5`)
		s.Click(studiotest.Card(1) + " .thumbnail img") // plays it

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
