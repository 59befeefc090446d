package texts

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/project"
)

// TestPagesOfSoundsSpeakOfSounds finds texts about images that a page of sounds would show: the
// section sounds lacks them.
func TestPagesOfSoundsSpeakOfSounds(t *testing.T) {
	sight := regexp.MustCompile(`(?i)camera|video|picture|kamera|bild|cámara|imagen|imágenes|foto`)
	// Texts that a page of sounds does not show, or that are about images on purpose.
	fine := []string{
		"camera.turn", "guide.demo", "guide.try", "guide.tries", "guide.failed", "project.otherKind", "sound.kind", "sound.pictures",
		"notice.otherKind", "notice.heic", "notice.pdf", "notice.video", "notice.frames", "then.look", "then.lookTip", "then.addImage", "then.ownImage", "then.badMedium",
		"improve.dark", "improve.bright", "improve.blurred", "bring.poses",
	}
	pager := []string{"stage.pictures", "stage.previous", "stage.next", "stage.place"}
	for _, l := range Languages() {
		In(l.Code).For(project.KindSound).each(func(name string, v reflect.Value) {
			// A page of sounds has no tools for the camera, only the pager, and other lessons.
			if strings.HasPrefix(name, "stage.") && !slices.Contains(pager, name) || strings.Count(name, ".") > 1 || slices.Contains(fine, name) {
				return
			}
			if v.Kind() != reflect.Map && sight.MatchString(called(v)) {
				t.Errorf("%s: %s says %q", l.Code, name, called(v))
			}
		})
	}
}

func TestTextsForAKind(t *testing.T) {
	for _, c := range []struct {
		language *Texts
		kind     string
		want     string
	}{
		{English, project.KindImage, "Start camera"},
		{English, project.KindSound, "Start microphone"},
		{German, project.KindImage, "Kamera starten"},
		{German, project.KindSound, "Mikrofon starten"},
	} {
		got := c.language.For(c.kind)
		if got.Camera.Start != c.want || got.Code != c.language.Code {
			t.Errorf("%s for %s: %q of %s, want %q", c.language.Code, c.kind, got.Camera.Start, got.Code, c.want)
		}
		if got != c.language.For(c.kind) {
			t.Errorf("%s for %s is another value each time: components would be drawn again", c.language.Code, c.kind)
		}
	}
	if English.Camera.Start != "Start camera" {
		t.Error("the texts for sounds have changed those for pictures")
	}
}
