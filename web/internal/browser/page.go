package browser

import (
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Kind returns the kind of the page's projects, from its address.
func Kind() string {
	if Studio.Get("sounds").Truthy() {
		return project.KindSound
	}
	return project.KindImage
}

// GoTo opens the page with a hash in its address: see boot.js.
func GoTo(hash string) { Location.Set("hash", hash) }

// Here returns the address of the page's folder, with a slash at the end.
func Here() string {
	return Window.Get("URL").New(".", Document.Get("baseURI")).Get("href").String()
}

// Local returns a time as clocks here show it at that time; [time.Local] has the offset of the page's start.
func Local(at time.Time) time.Time {
	date := Window.Get("Date").New(float64(at.UnixMilli()))
	return at.In(time.FixedZone("", -60*date.Call("getTimezoneOffset").Int()))
}

// CopyField copies the text of the field with the given id, through the clipboard or with the
// command of editors, and reports success. After a failure the text stays selected.
func CopyField(id string, done func(copied bool)) {
	field := Document.Call("getElementById", id)
	byCommand := func() {
		field.Call("focus")
		field.Call("select")
		done(Document.Call("execCommand", "copy").Bool())
	}
	clipboard := Navigator.Get("clipboard")
	if clipboard.IsUndefined() { // on pages from http addresses
		byCommand()
		return
	}
	copying := clipboard.Call("writeText", field.Get("value"))
	go func() {
		if _, err := Await(copying); err != nil {
			byCommand()
			return
		}
		done(true)
	}()
}

// Sends reports whether the system's share sheet accepts pages.
var Sends = sync.OnceValue(func() bool {
	if Navigator.Get("canShare").Type() != TypeFunction {
		return false
	}
	page := Window.Get("File").New([]any{""}, "page.html", map[string]any{"type": "text/html"})
	return Navigator.Call("canShare", map[string]any{"files": []any{page}}).Bool()
})

// Language returns the texts of the chosen or preferred language, which the page's first script has
// fetched.
func Language() *texts.Texts { return texts.Decode(Studio.Get("texts").String()) }

// Languages returns the page's languages.
func Languages() []texts.Language {
	return convert(Preferences.Get("languages"), func(l Value) texts.Language {
		return texts.Language{Code: l.Get("Code").String(), Name: l.Get("Name").String()}
	})
}

var spoken int // calls of SetLanguage

// SetLanguage fetches a language, stores the choice, sets the page's lang attribute and calls then,
// unless a later choice replaced it. If the language cannot be fetched, it calls failed.
func SetLanguage(code string, then func(*texts.Texts), failed func()) {
	spoken++
	speak := spoken
	go func() {
		text, err := Await(Studio.Call("speak", code))
		if speak != spoken {
			return
		}
		if err != nil {
			failed()
			return
		}
		Preferences.Set("language", code)
		then(texts.Decode(text.String()))
	}()
}

// Remember stores a setting for the next visit. Browsers without space for it forget it.
func Remember(name string, value any) {
	defer func() { _ = recover() }()
	Window.Get("localStorage").Call("setItem", name, value)
}

// Theme returns the chosen theme.
func Theme() string { return Preferences.Get("theme").String() }

// SetTheme applies and stores a theme.
func SetTheme(theme string) { Preferences.Set("theme", theme) }
