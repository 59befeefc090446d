package project

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// What version 1 left out stays what it meant then, whatever the defaults become.
func TestSettingsOfVersion1(t *testing.T) {
	const usual = "embedder=fcn classifier=prototype weighting=cross-reference solver=simplex temperature=12.5 balance=on strangers=0.4"
	for settings, want := range map[string]string{
		`{}`:                   usual,
		`null`:                 usual,
		`{"threshold": 0.5}`:   usual,
		`{"unknown": false}`:   strings.Replace(usual, "strangers=0.4", "strangers=off", 1),
		`{"strictness": 0.75}`: strings.Replace(usual, "strangers=0.4", "strangers=0.75", 1),
		`{"strictness": 7}`:    strings.Replace(usual, "strangers=0.4", "strangers=1", 1),
		`{"solver": "dense"}`:  strings.Replace(usual, "simplex", "dense", 1),
		`{"temperature": 20}`:  strings.Replace(usual, "12.5", "20", 1),
		`{"classifier": "nearest", "weighting": "equal"}`:  "embedder=fcn classifier=nearest weighting=equal solver=simplex temperature=12.5 balance=on strangers=0.4",
		`{"embedder": {"kind": "grid"}}`:                   strings.Replace(usual, "embedder=fcn", "embedder=grid grid=2,3 ratio=2", 1),
		`{"embedder": {"kind": "sampling", "patches": 5}}`: strings.Replace(usual, "embedder=fcn", "embedder=sampling patches=5", 1),
	} {
		m, err := ParseManifest(fmt.Appendf(nil, `{"format": "deepemd-project", "version": 1, "kind": "sound", "name": "a", "settings": %s, "classes": []}`, settings))
		if err != nil || m.Method.String() != want || m.Version != Version || m.Kind != KindSound || m.Extensions != nil {
			t.Errorf("%s: version %d, %v, extensions %v, %v; want %s", settings, m.Version, m.Method, m.Extensions, err, want)
		}
	}
	for settings, says := range map[string]string{
		`{"classifier": "magic"}`: `no classifier "magic"`,
		`{"temperature": -1}`:     "temperature -1",
		`{"temperature": "hot"}`:  "settings",
		`3`:                       "settings",
	} {
		_, err := ParseManifest(fmt.Appendf(nil, `{"format": "deepemd-project", "version": 1, "kind": "image", "name": "a", "settings": %s, "classes": []}`, settings))
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want damaged, saying %q", settings, err, says)
		}
	}
}

// Extensions that a program does not know travel with the project, but for those that it requires.
func TestExtensions(t *testing.T) {
	manifest := func(more string) []byte {
		return fmt.Appendf(nil, `{"format": "deepemd-project", "version": 2, "kind": "image", "name": "a", "method": {"classifier": "nearest"}, "classes": [], %s}`, more)
	}
	m, err := ParseManifest(manifest(`"extensions": {"framing": {"zoom": 2}}`))
	if err != nil || string(m.Extensions["framing"]) != `{"zoom": 2}` || m.Method.Classifier != "nearest" || m.Method.Solver != "simplex" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := ParseManifest(manifest(`"extensions": {"framing": {}}, "requires": ["framing"]`)); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "framing") {
		t.Errorf("%v, want one that names what is required", err)
	}
}
