package texts

import (
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/internal/require"
)

var English, German = In("en"), In("de")

// Every message contains all of its arguments.
func TestNoMessageDropsItsArguments(t *testing.T) {
	for _, l := range Languages() {
		t.Run(l.Code, func(t *testing.T) {
			In(l.Code).each(func(path string, v reflect.Value) {
				if v.Kind() == reflect.Func {
					checkFunction(t, l.Code+".json: "+path, v)
				}
			})
		})
	}
}

// checkFunction calls a text with recognizable arguments.
func checkFunction(t *testing.T, path string, f reflect.Value) {
	t.Helper()
	var args []reflect.Value
	var want []string
	for i := range f.Type().NumIn() {
		mark := fmt.Sprint(7001 + i)
		switch in := f.Type().In(i); in.Kind() {
		case reflect.Int, reflect.Float64:
			args = append(args, reflect.ValueOf(7001+i).Convert(in))
		case reflect.String:
			args = append(args, reflect.ValueOf(mark))
		default:
			t.Fatalf("%s takes a %s: give it text and numbers", path, in)
		}
		want = append(want, mark)
	}
	got := f.Call(args)[0].String()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s says %q, which lacks %s: a message needs all of its {…}", path, got, w)
		}
	}
}

// A text that equals the English one is untranslated, unless it is a name or a sign.
func TestNothingIsLeftInEnglish(t *testing.T) {
	english := read(t, languages.Default)
	for _, l := range Languages()[1:] {
		given := read(t, l.Code)
		for path, text := range given {
			if text == english[path] && !slices.Contains(alike, path) && regexp.MustCompile(`\pL{2}`).MatchString(argument.ReplaceAllString(text, "")) {
				t.Errorf("%s.json: %s is %q as in English: translate it, or add it to alike in this test", l.Code, path, text)
			}
		}
	}
}

// alike are texts that languages may share.
var alike = []string{"engine.facts", "guide.things.orange", "lessons.alphabets.sanskrit", "lessons.alphabets.tagalog", "network.megabytes", "notice.detail", "stage.countdown", "then.pause"}

// argument matches an argument of a message.
var argument = regexp.MustCompile(`\{\w+\}`)

// read returns the texts of a language by their names in its file.
func read(t *testing.T, code string) map[string]string {
	t.Helper()
	given := require.Value(languages.Read(languages.Files, code))(t)
	return given
}

// Errors in a translation name the text.
func TestMistakesAreNamed(t *testing.T) {
	whole := require.Value(fs.ReadFile(languages.Files, "de.json"))(t)
	for _, c := range []struct{ name, text, becomes, want string }{
		{"a comma", `"Deutsch",`, `"Deutsch"`, "qq.json"},
		{"another name", `"camera": {`, `"camera": { "strt": "Los",`, "camera.strt: the page has no such text"},
		{"an argument", `"Beispiel {n, number} von {class} abspielen"`, `"Beispiel {n, number} von {klasse} abspielen"`, "sound.play: \"Beispiel {n, number} von {klasse} abspielen\" has {klasse}, and the page gives only {n}, {class}"},
		{"a brace", `"Beispiel {n, number} von {class} abspielen"`, `"Beispiel {n, number} von {class abspielen"`, "sound.play"},
		{"a plural", `one {1 Zeile} other {# Zeilen}`, `one {1 Zeile} mehr {# Zeilen}`, `then.entries: the plural of {n} has a form "mehr"`},
		{"a number", `"Deutsch",`, `"Deutsch", "camera2": 3,`, "camera2 is 3: write a text in quotes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(string(whole), c.text) {
				t.Fatalf("de.json lacks %s", c.text)
			}
			files := fstest.MapFS{"qq.json": {Data: []byte(strings.Replace(string(whole), c.text, c.becomes, 1))}, "en.json": file(t, "en.json")}
			_, err := Load(files, "qq")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// Missing texts are in English; plurals follow the language's rules.
func TestMissingTextsAreEnglish(t *testing.T) {
	files := fstest.MapFS{
		"en.json": file(t, "en.json"),
		"pl.json": {Data: []byte(`{"name": "polski", "then": {"entries": "{n, plural, one {# wiersz} few {# wiersze} other {# wierszy}}"}}`)},
	}
	polish := require.Value(Load(files, "pl"))(t)
	got := []string{polish.Camera.Start, polish.For(project.KindSound).Camera.Start, polish.Guide.Things["cat"]}
	for _, n := range []int{1, 2, 5, 22} {
		got = append(got, polish.Then.Entries(n))
	}
	want := []string{"Start camera", "Start camera", "Cat", "1 wiersz", "2 wiersze", "5 wierszy", "22 wiersze"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// file returns a language's file.
func file(t *testing.T, name string) *fstest.MapFile {
	t.Helper()
	data := require.Value(fs.ReadFile(languages.Files, name))(t)
	return &fstest.MapFile{Data: data}
}

// A right-to-left name is isolated in a sentence, and stays unchanged where it is stored.
func TestNamesAreIsolated(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{English.Class.Deleted(2, "كوب"), "\u2068كوب\u2069 was deleted, with its 2 examples"},
		{English.Class.Deleted(0, "cup 🥤"), "cup 🥤 was deleted"},
		{English.Improve.WrongPair("כוס", "cup", 2), "\u2068כוס\u2069, recognized as cup: 2"},
		{English.Duration(94 * time.Second), "94 seconds"},
		{German.Duration(131 * time.Second), "2 Minuten"},
		{English.Project.Copy("كوب", 1), "كوب, copy"},
		{English.Then.LogName("كوب"), "كوب log"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Decode returns the same texts as the files.
func TestServedTexts(t *testing.T) {
	for _, l := range Languages() {
		data := require.Value(Served(languages.Files, l.Code))(t)
		got := Decode(string(data))
		for _, kind := range []string{project.KindImage, project.KindSound} {
			want := map[string]string{}
			In(l.Code).For(kind).each(func(path string, v reflect.Value) { want[path] = called(v) })
			got.For(kind).each(func(path string, v reflect.Value) {
				if said := called(v); said != want[path] {
					t.Errorf("%s, %s: the page says %q, the file %q", l.Code, path, said, want[path])
				}
			})
		}
		if got.Code != l.Code || got.Name != l.Name {
			t.Errorf("%s is %s, %s", l.Code, got.Code, got.Name)
		}
	}
}

// called returns a text; functions get ones and "a".
func called(v reflect.Value) string {
	if v.Kind() != reflect.Func {
		return fmt.Sprint(v.Interface())
	}
	var args []reflect.Value
	for i := range v.Type().NumIn() {
		if in := v.Type().In(i); in.Kind() == reflect.String {
			args = append(args, reflect.ValueOf("a"))
		} else {
			args = append(args, reflect.ValueOf(1).Convert(in))
		}
	}
	return v.Call(args)[0].String()
}

// Default names of each language are translated, other names are not.
func TestDefaultNames(t *testing.T) {
	for _, from := range Languages() {
		for name, want := range map[string]string{
			In(from.Code).Class.Default(12): "Klasse 12", "Klasse 012": "Klasse 012", "12": "12", "my Class 1": "my Class 1",
			In(from.Code).Project.Default(1): In(from.Code).Project.Default(1),
		} {
			if got, n := German.ClassName(name); got != want || (n == 12) != (want == "Klasse 12") {
				t.Errorf("%q is %q with the number %d, want %q", name, got, n, want)
			}
		}
		for _, kind := range []string{project.KindImage, project.KindSound} {
			if got := German.For(kind).ProjectName(In(from.Code).Project.Default(1)); got != "Projekt 1" {
				t.Errorf("%s, %s: %q", from.Code, kind, got)
			}
		}
	}
}

func TestLists(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{{nil, ""}, {[]string{"a"}, "a"}, {[]string{"a", "b"}, "a and b"}, {[]string{"a", "b", "c", "d"}, "a, b, c and d"}} {
		if got := English.Join(c.names); got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
	if got := German.Join([]string{"a", "b", "c"}); got != "a, b und c" {
		t.Error(got)
	}
}

func TestPlural(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{English.Class.Deleted(1, "cup"), "cup was deleted, with its example"},
		{English.Class.Deleted(2, "cup"), "cup was deleted, with its 2 examples"},
		{German.Class.Deleted(1, "Tasse"), "Tasse wurde gelöscht, samt 1 Beispiel"},
		{German.Class.Deleted(0, "Tasse"), "Tasse wurde gelöscht"},
		{English.Notice.Kept(0), ""},
		{English.Notice.Kept(1), "Your example is kept."},
		{In("es").Bring.TimeLeft(In("es").Duration(time.Second)), "Tiempo restante aproximado: 1 segundo."},
		{In("es").Improve.LearnTime(In("es").Duration(time.Second)), "Tiempo aproximado en este dispositivo: 1 segundo."},
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
	if got, want := German.Decimal(1.25, 1)+" "+German.Percent(0.994), "1,2 99\u00a0%"; got != want {
		t.Errorf("German: %q, want %q", got, want)
	}
}

// Every error code has its own text in every language.
func TestReasons(t *testing.T) {
	codes := []learner.Code{
		learner.CodeBadImage, learner.CodeBadSound, learner.CodeSilent, learner.CodeBadWeights, learner.CodeWrongNetwork,
		learner.CodeEmpty, learner.CodeChanged, "bad-project", "newer-project", "wrong-kind", "crashed", "out-of-memory", "network", "unsupported",
	}
	for _, l := range Languages() {
		for _, kind := range []string{project.KindImage, project.KindSound} {
			texts := In(l.Code).For(kind)
			said := map[string]learner.Code{texts.Reason("internal"): "internal"}
			for _, code := range codes {
				got := texts.Reason(string(code))
				if other, again := said[got]; got == "" || again {
					t.Errorf("%s, %s: %q for %s, as for %s", l.Code, kind, got, code, other)
				}
				said[got] = code
			}
		}
	}
}

// BenchmarkDecode measures the decoding of a language at the start of the page.
func BenchmarkDecode(b *testing.B) {
	data := require.Value(Served(languages.Files, "de"))(b)
	for b.Loop() {
		Decode(string(data))
	}
}
