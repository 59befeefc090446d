package texts

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/project"
)

// TestPagesOfSoundsSpeakOfSounds finds texts for pictures that a page of sounds would
// show: their words of their own are missing.
func TestPagesOfSoundsSpeakOfSounds(t *testing.T) {
	sight := regexp.MustCompile(`(?i)camera|video|picture|kamera|bild|cámara|imagen|imágenes|foto`)
	// What a page of sounds does not show, or says of pictures on purpose.
	fine := map[string]bool{
		"Camera.Turn": true, "Guide.Demo": true, "Guide.Tries": true, "Guide.Failed": true,
		"Project.OtherKind": true, "Sound.Kind": true, "Sound.Pictures": true,
		"Then.Look": true, "Then.LookTip": true, "Then.AddImage": true, "Then.OwnImage": true, "Then.BadMedium": true,
	}
	for _, l := range Languages() {
		language := In(l.Code)
		v := reflect.ValueOf(language.For(project.KindSound)).Elem()
		for i := range v.NumField() {
			part := v.Field(i)
			if part.Kind() != reflect.Struct {
				continue
			}
			for k := range part.NumField() {
				name := v.Type().Field(i).Name + "." + part.Type().Field(k).Name
				if strings.HasPrefix(name, "Stage.") {
					continue // a page of sounds has no camera
				}
				if text := part.Field(k); text.Kind() == reflect.String && sight.MatchString(text.String()) && !fine[name] {
					t.Errorf("%s: %s says %q", language.Code, name, text.String())
				}
			}
		}
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
