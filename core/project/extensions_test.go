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
	if first := want.Keep(nil); len(first) != 1 {
		t.Errorf("without other extensions the frame is kept in %s", first)
	}
	if only := (project.Frame{Mirror: &mirror}).Keep(nil); len(only) != 1 {
		t.Errorf("a mirrored central square is kept in %s", only)
	}
	if rest := (project.Frame{}).Keep(m.Extensions); len(rest) != 1 {
		t.Errorf("the central square leaves %s behind", rest)
	}
}

func TestFrameIsReadLeniently(t *testing.T) {
	for text, want := range map[string]project.Frame{
		``:                               {Zoom: 1},
		`"wide"`:                         {Zoom: 1},
		`{"zoom": "far", "x": 0.25}`:     {Zoom: 1, X: .25},
		`{"zoom": 2, "y": null}`:         {Zoom: 2},
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

func TestLessonIsKept(t *testing.T) {
	want := project.Lesson{ID: "characters", Alphabet: "korean", Done: []string{"teach", "test"}, Judged: []bool{true, false}, Since: 5, Away: true}
	m := project.Manifest{Extensions: want.Keep(map[string]json.RawMessage{"notes": json.RawMessage(`"mine"`)})}
	text := require.Value(json.Marshal(m))(t)
	var read project.Manifest
	require.NoError(t, json.Unmarshal(text, &read))
	if got := read.Lesson(); !reflect.DeepEqual(got, want) || len(read.Extensions) != 2 {
		t.Errorf("the lesson %+v came back as %+v, beside %v", want, got, read.Extensions)
	}
	if rest := (project.Lesson{}).Keep(m.Extensions); len(rest) != 1 {
		t.Errorf("no lesson leaves %s behind", rest)
	}
	m.Extensions[project.ExtensionLesson] = json.RawMessage(`["hands"]`)
	if got := m.Lesson(); got.ID != "" {
		t.Errorf("what cannot be read is the lesson %+v", got)
	}
}
