package texts

import (
	"reflect"
	"regexp"
	"testing"
)

// TestPagesOfSoundsSpeakOfSounds finds texts for pictures that a page of sounds would
// show: sounds.go has no words of its own for them.
func TestPagesOfSoundsSpeakOfSounds(t *testing.T) {
	sight := regexp.MustCompile(`(?i)camera|video|picture|kamera|bild`)
	// What a page of sounds does not show, or says of pictures on purpose.
	fine := map[string]bool{
		"Camera.Turn": true, "Guide.Demo": true, "Guide.Tries": true, "Guide.Failed": true,
		"Project.OtherKind": true, "Sound.Kind": true, "Sound.Pictures": true,
	}
	for _, language := range Languages {
		v := reflect.ValueOf(language.ofSounds()).Elem()
		for i := range v.NumField() {
			part := v.Field(i)
			if part.Kind() != reflect.Struct {
				continue
			}
			for k := range part.NumField() {
				name := v.Type().Field(i).Name + "." + part.Type().Field(k).Name
				if text := part.Field(k); text.Kind() == reflect.String && sight.MatchString(text.String()) && !fine[name] {
					t.Errorf("%s: %s says %q", language.Code, name, text.String())
				}
			}
		}
	}
}

func TestHearSounds(t *testing.T) {
	defer Use(Current())
	Use(German)
	HearSounds(true)
	if got := Current().Camera.Start; got != "Mikrofon starten" {
		t.Errorf("%q on a page of sounds", got)
	}
	Use(English)
	if got := Current().Camera.Start; got != "Start microphone" {
		t.Errorf("%q after the language was changed", got)
	}
	HearSounds(false)
	if got := Current().Camera.Start; got != English.Camera.Start {
		t.Errorf("%q on a page of pictures", got)
	}
}
