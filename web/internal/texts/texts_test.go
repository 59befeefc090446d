package texts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project"
)

// No language lacks a text, and no function drops what it is given: a name or
// number that the person needs is in the result.
func TestEveryLanguageSaysEverything(t *testing.T) {
	for _, language := range Languages {
		t.Run(language.Code, func(t *testing.T) {
			walk(reflect.ValueOf(language).Elem(), "", func(path string, v reflect.Value) {
				switch v.Kind() {
				case reflect.String:
					if strings.TrimSpace(v.String()) == "" {
						t.Errorf("%s is missing", path)
					}
				case reflect.Map: // TestReasonsInOtherLanguages looks at it
				case reflect.Func:
					if v.IsNil() {
						t.Errorf("%s is missing", path)
						return
					}
					checkFunction(t, path, v)
				default:
					t.Errorf("%s is a %s: texts are strings or functions", path, v.Type())
				}
			})
		})
	}
}

// checkFunction calls a text with arguments that can be recognised in it.
func checkFunction(t *testing.T, path string, f reflect.Value) {
	t.Helper()
	var args []reflect.Value
	var want []string
	for i := range f.Type().NumIn() {
		mark := fmt.Sprint(7001 + i)
		switch in := f.Type().In(i); in.Kind() {
		case reflect.Int:
			args = append(args, reflect.ValueOf(7001+i))
			want = append(want, mark)
		case reflect.String:
			args = append(args, reflect.ValueOf(mark))
			want = append(want, mark)
		case reflect.Slice:
			args = append(args, reflect.ValueOf([]string{mark, "one", "two"}))
			want = append(want, mark, "one", "two")
		default:
			t.Fatalf("%s takes a %s: give it text and whole numbers, as numbers are written by Decimal", path, in)
		}
	}
	got := f.Call(args)[0].String()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s says %q, which lacks %s", path, got, w)
		}
	}
}

// Texts that are the same in two languages were forgotten, unless they are names
// or signs.
func TestNothingIsLeftInEnglish(t *testing.T) {
	same := map[string]bool{}
	english := reflect.ValueOf(English).Elem()
	for _, language := range Languages[1:] {
		other := map[string]string{}
		walk(reflect.ValueOf(language).Elem(), "", func(path string, v reflect.Value) {
			if v.Kind() == reflect.String {
				other[path] = v.String()
			}
		})
		walk(english, "", func(path string, v reflect.Value) {
			if v.Kind() == reflect.String && v.String() == other[path] && !same[path] {
				t.Errorf("%s is %q in %s as in English", path, v, language.Name)
			}
		})
	}
}

// walk visits the fields that are no sections.
func walk(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	for i := range v.NumField() {
		name := strings.TrimPrefix(path+"."+v.Type().Field(i).Name, ".")
		if v.Field(i).Kind() == reflect.Struct {
			walk(v.Field(i), name, visit)
		} else {
			visit(name, v.Field(i))
		}
	}
}

func TestBest(t *testing.T) {
	for _, c := range []struct {
		tags []string
		want *Texts
	}{
		{nil, English},
		{[]string{""}, English},
		{[]string{"de"}, German},
		{[]string{"de-AT", "en"}, German},
		{[]string{"fr-FR", "DE-de"}, German},
		{[]string{"fr"}, English},
		{[]string{"en-GB", "de"}, English},
	} {
		if got := Best(c.tags...); got != c.want {
			t.Errorf("%q: %s, want %s", c.tags, got.Name, c.want.Name)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{English.Class.Deleted("cup", 1), "cup was deleted, with its example"},
		{English.Class.Deleted("cup", 2), "cup was deleted, with its 2 examples"},
		{German.Class.Deleted("Tasse", 1), "Tasse wurde gelöscht, samt einem Beispiel"},
		{German.Class.Deleted("Tasse", 0), "Tasse wurde gelöscht"},
		{English.Notice.Kept(0), ""},
		{English.Notice.Kept(1), "Your example is kept."},
		{German.Notice.Kept(5), "Alle 5 Beispiele bleiben erhalten."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	if got, want := English.Decimal(1.25, 1)+" "+English.Percent(0.994), "1.2 99%"; got != want {
		t.Errorf("English: %q, want %q", got, want)
	}
	if got, want := German.Decimal(1.25, 1)+" "+German.Percent(0.994), "1,2 99 %"; got != want {
		t.Errorf("German: %q, want %q", got, want)
	}
}

func TestSentence(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{"", ""},
		{"the disk is full", "The disk is full."},
		{"a.jpg is no picture", "a.jpg is no picture."},
		{"Really?", "Really?"},
	} {
		if got := sentence(c.message); got != c.want {
			t.Errorf("%q: %q, want %q", c.message, got, c.want)
		}
	}
}

// An error's message is English: another language has words of its own for every failure
// that a person can cause.
func TestReasonsInOtherLanguages(t *testing.T) {
	const message = "not an MP3 or WAV recording"
	codes := []learner.Code{
		learner.CodeBadImage, learner.CodeBadSound, learner.CodeSilent, learner.CodeBadWeights, learner.CodeWrongNetwork,
		learner.CodeEmpty, learner.CodeChanged, "bad-project", "newer-project", "crashed", "out-of-memory", "network", "unsupported",
	}
	for _, language := range Languages {
		for _, kind := range []string{project.KindImage, project.KindSound} {
			notice := &language.For(kind).Notice
			for _, code := range codes {
				if got := notice.Reason(string(code), message); got == "" || strings.Contains(strings.ToLower(got), strings.ToLower(message)) != (language == English) {
					t.Errorf("%s, %s: %q for %s", language.Code, kind, got, code)
				}
			}
			if got := notice.Reason("internal", message); !strings.Contains(strings.ToLower(got), strings.ToLower(message)) {
				t.Errorf("%s, %s: an error of the program is %q: want its message", language.Code, kind, got)
			}
		}
	}
}
