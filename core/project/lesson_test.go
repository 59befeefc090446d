package project_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/project"
)

func TestLessonIsKept(t *testing.T) {
	want := project.Lesson{ID: "characters", Alphabet: "korean", Done: []string{"teach", "test"}, Judged: []bool{true, false}, Since: 5, Away: true}
	m := project.Manifest{Extensions: want.Keep(map[string]json.RawMessage{"notes": json.RawMessage(`"mine"`)})}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var read project.Manifest
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
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
