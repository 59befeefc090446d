package project_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
)

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
