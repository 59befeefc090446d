package project_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
)

func TestFrameIsKept(t *testing.T) {
	mirror := true
	want := project.Frame{Zoom: 2, X: .25, Y: -.125, Mirror: &mirror}
	before := project.Manifest{Extensions: map[string]json.RawMessage{"notes": json.RawMessage(`"mine"`)}}
	m := before
	m.Extensions = want.Keep(m.Extensions)
	text := require.Value(json.Marshal(m))(t)
	var read project.Manifest
	require.NoError(t, json.Unmarshal(text, &read))
	if got := read.Frame(); !reflect.DeepEqual(got, want) {
		t.Errorf("the frame %+v came back as %+v", want, got)
	}
	if len(before.Extensions) != 1 || len(read.Extensions) != 2 {
		t.Errorf("extensions %v of the first, %v of the second manifest", before.Extensions, read.Extensions)
	}
	if rest := (project.Frame{}).Keep(m.Extensions); len(rest) != 1 {
		t.Errorf("the central square leaves %s behind", rest)
	}
}

func TestFrameIsReadLeniently(t *testing.T) {
	for text, want := range map[string]project.Frame{
		``:                               {},
		`"wide"`:                         {},
		`{"zoom": "far"}`:                {},
		`{}`:                             {Zoom: 1},
		`{"zoom": 40, "x": -99}`:         {Zoom: project.MaxZoom, X: -10},
		`{"zoom": 0.5, "later": [1, 2]}`: {Zoom: 1},
	} {
		m := project.Manifest{Extensions: map[string]json.RawMessage{}}
		if text != "" {
			m.Extensions["frame"] = json.RawMessage(text)
		}
		if got := m.Frame(); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	if got := (project.Frame{Zoom: math.NaN(), X: math.NaN()}).Complete(); got != (project.Frame{Zoom: 1}) {
		t.Errorf("no numbers become %+v", got)
	}
}
