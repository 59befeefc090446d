package languages_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/internal/require"
)

func said(t *testing.T, code, text string, values map[string]any) string {
	t.Helper()
	m := require.Value(languages.Parse(text))(t)
	return m.Format(languages.Rules{Point: ",", Plural: languages.PluralOf(code)}, func(name string) any { return values[name] })
}

func TestMessages(t *testing.T) {
	const pictures = "{n, plural, =0 {no picture} one {# picture of {c}} other {# pictures of {c}}}."
	for _, c := range []struct {
		code, text string
		n          any
		want       string
	}{
		{"en", "plain, with 'quotes', a # and an apostrophe's s", 0, "plain, with 'quotes', a # and an apostrophe's s"},
		{"en", "the users'", 0, "the users'"},
		{"en", "{n} of {c}", 3, "3 of cup"},
		{"en", "{n, plural, one {one}\n other {many} }", 2, "many"},
		{"en", "{ n }", 0.25, "0,25"},
		{"en", "{n, number} of {n, plural, one {one} other {{n, decimal}}}", 1.5, "1,5 of 1,5"},
		{"en", pictures, 0, "no picture."},
		{"en", pictures, 1, "1 picture of cup."},
		{"en", pictures, 7, "7 pictures of cup."},
		{"en", "{n, plural, one {a second} other {# seconds}}", 0.5, "0,5 seconds"},
		{"en", "{n,plural,other{#{c}}}", 2, "2cup"},
		{"fr", "{n, plural, one {# image} other {# images}}", 0, "0 image"},
		{"fr", "{n, plural, one {# seconde} other {# secondes}}", 1.5, "1,5 seconde"},
		{"pl", "{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}", 3, "3 pliki"},
		{"pl", "{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}", 12, "12 plików"},
		{"pl", "{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}", 1.5, "1,5 pliku"},
		{"ja", "{n, plural, one {one} other {#}}", 1, "1"},
	} {
		if got := said(t, c.code, c.text, map[string]any{"n": c.n, "c": "cup"}); got != c.want {
			t.Errorf("%s, %s with %v: %q, want %q", c.code, c.text, c.n, got, c.want)
		}
	}
}

func TestJavaScript(t *testing.T) {
	for text, want := range map[string]string{
		"a `b` \\ {c}":                  "`a \\`b\\` \\\\ ${c}`",
		"{n, plural, other {# images}}": "`${plural(\"ja\", n, { \"other\": `${n} images` })}`",
	} {
		if got := require.Value(languages.Parse(text))(t).JavaScript("ja"); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func TestNamesOfAnotherDirection(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"[{c}]", "cup", "[cup]"},
		{"[{c}]", "café ☕ 茶", "[café ☕ 茶]"},
		{"[{c}]", "קפה", "[\u2068קפה\u2069]"},
		{"[{c}]", "2 أكواب", "[\u20682 أكواب\u2069]"},
		{"[{c, verbatim}]", "קפה", "[קפה]"},
	} {
		if got := said(t, "en", c.text, map[string]any{"c": c.name}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestMistakesInMessages(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{n", "a { is not closed: write {name}"},
		{"n}", "a } has no matching {"},
		{"{}", "{} is not a name"},
		{"{two words}", "{two words} is not a name"},
		{"{n, select, a {b} other {c}}", "{n, …} is not a plural"},
		{"{n {c}", "a { is not closed: write {name}"},
		{"{n, plural, {a} other {b}}", `a form "": forms are`},
		{"{n, plural, = {a} other {b}}", `a form "=": forms are`},
		{"{n, plural, =x {a} other {b}}", `a form "=x": forms are`},
		{"{n, plural, one {a}}", "no form for all other numbers: add other {…}"},
		{"{n, plural, eins {a} other {b}}", `a form "eins": forms are zero, one`},
		{"{n, plural, one {a} other {b}", "not closed"},
		{"{n, plural, one {a", "not closed"},
		{"l'{n}", "an apostrophe precedes {: write ’"},
	} {
		if _, err := languages.Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"a", "{n}", "{n, plural, =0 {x{c}} one {#} other {# y}}", "}{", "'{"} {
		f.Add(text)
	}
	rules := languages.Rules{Point: ".", Plural: languages.PluralOf("en")}
	f.Fuzz(func(t *testing.T, text string) {
		var m languages.Message
		var err error
		bombs.Budget(t, 1<<20, 2048, len(text), func() { m, err = languages.Parse(text) })
		if err != nil {
			return
		}
		m.Format(rules, func(string) any { return 2 })
		if strings.Contains(m.JavaScript("en"), "</script") && !strings.Contains(text, "</script") {
			t.Errorf("%q became %q", text, m.JavaScript("en"))
		}
	})
}

func TestFiles(t *testing.T) {
	files := fstest.MapFS{
		"en.json":    {Data: []byte(`{"name": "English", "a": {"b": "c"}}`)},
		"de.json":    {Data: []byte(`{"a": "b", "name": "Deutsch"}`)},
		"de-AT.json": {}, // whose file precedes de.json
		"ar.json":    {Data: []byte(`{"name": "العربية",}`)},
	}
	if got := languages.Codes(files); !slices.Equal(got, []string{"en", "ar", "de", "de-AT"}) {
		t.Error(got)
	}
	if texts, err := languages.Read(files, "en"); err != nil || texts["a.b"] != "c" {
		t.Error(texts, err)
	}
	if _, err := languages.Read(files, "ar"); err == nil || !strings.Contains(err.Error(), "ar.json") {
		t.Error(err)
	}
}

// FuzzRead reads files of texts, which translators write.
func FuzzRead(f *testing.F) {
	for _, text := range []string{`{"name": "English", "a": {"b": "c"}}`, `{"a": 3}`, `{"a": {"b": null}}`, `{"name": ""}`, `[]`, `{"a.b": "c", "a": {"b": "d"}}`, ``, `{`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		files := fstest.MapFS{"en.json": {Data: text}}
		// A text deep in others has a long path.
		bombs.Budget(t, 4<<20, 4096+int64(len(text)), len(text), func() {
			if texts, err := languages.Read(files, "en"); err == nil && texts == nil {
				t.Error("neither texts nor an error")
			}
		})
	})
}
