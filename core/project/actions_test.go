package project

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

func TestActionsStayWithAProject(t *testing.T) {
	m := sample()
	want := Actions{Hold: .5, Rules: []Rule{
		{Class: m.Classes[0].ID, Say: true, Sound: "bell", Show: "👍", Count: true, Counted: 3},
		{Of: OfUnknown, Serial: true, Line: "0"},
	}, Media: map[string]string{"media-1": "data:image/png;base64,AAAA"}}
	extensions := require.Value(want.Keep(map[string]json.RawMessage{"mirror": []byte("true")}))(t)
	m.Extensions = extensions
	text := require.Value(json.Marshal(m))(t)
	read, err := ParseManifest(text)
	require.NoError(t, err)
	if got := read.Actions(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if string(read.Extensions["mirror"]) != "true" {
		t.Errorf("the other extension is gone: %v", read.Extensions)
	}
	rest, err := Actions{}.Keep(read.Extensions)
	if err != nil || len(rest) != 1 || len(read.Extensions) != 2 {
		t.Errorf("without rules %v stay (%v), and the given are %v", rest, err, read.Extensions)
	}
}

func TestOneRuleIsKept(t *testing.T) {
	kept := require.Value(Actions{Rules: []Rule{{Class: "a"}}}.Keep(nil))(t)
	if len(kept) != 1 {
		t.Errorf("one rule is kept as %v", kept)
	}
}

func TestActionsAreReadLeniently(t *testing.T) {
	long := strings.Repeat("x", method.MaxText+1)
	for _, c := range []struct {
		name, text string
		want       Actions
	}{
		{"absent", "", Actions{}},
		{"no object", `[1]`, Actions{}},
		{"another type", `{"hold":"soon"}`, Actions{}},
		{"before now", `{"hold":-1,"rules":[{"class":"a"}]}`, Actions{Rules: []Rule{{Class: "a"}}}},
		{"for ever", `{"hold":61,"rules":[{"class":"a"}]}`, Actions{Hold: MaxHold, Rules: []Rule{{Class: "a"}}}},
		{"a field of another type", `{"hold":"soon","rules":[7,{"class":"a","count":"yes","say":true}]}`, Actions{Rules: []Rule{{Class: "a", Say: true}}}},
		{"unknown fields", `{"hold":1,"rules":[{"class":"a","dance":true}],"x":1}`, Actions{Hold: 1, Rules: []Rule{{Class: "a"}}}},
		{
			"impossible rules",
			`{"hold":1,"rules":[{},{"class":"a","of":"unknown"},{"of":"all"},{"of":"nothing","say":true},{"of":"nothing"},{"class":"b","counted":-1},{"class":"b","counted":2147483648},{"class":"b","of":"all"},{"class":"c","show":"` + long + `"}]}`,
			Actions{Hold: 1, Rules: []Rule{{Of: OfNothing, Say: true}}},
		},
		{"a rule after an impossible one of its class", `{"hold":1,"rules":[{"class":"a","counted":-1},{"class":"a","say":true}]}`, Actions{Hold: 1, Rules: []Rule{{Class: "a", Say: true}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Manifest{}
			if c.text != "" {
				m.Extensions = map[string]json.RawMessage{ExtensionActions: []byte(c.text)}
			}
			got := m.Actions()
			if a, b := asJSON(t, got), asJSON(t, c.want); !bytes.Equal(a, b) {
				t.Errorf("got %s, want %s", a, b)
			}
		})
	}
}

func asJSON(t *testing.T, a Actions) []byte {
	t.Helper()
	text := require.Value(json.Marshal(a))(t)
	return text
}
