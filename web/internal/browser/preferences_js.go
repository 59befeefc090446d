package browser

import "github.com/deepemd/deepemd/web/internal/texts"

// Language is what the page says in this browser: what was chosen, or what the browser
// prefers. The script that starts the page has fetched it.
func Language() *texts.Texts { return texts.Decode(studio.Get("texts").String()) }

// Languages are those that the page speaks.
func Languages() []texts.Language {
	list := preferences.Get("languages")
	all := make([]texts.Language, list.Length())
	for i := range all {
		all[i] = texts.Language{Code: list.Index(i).Get("Code").String(), Name: list.Index(i).Get("Name").String()}
	}
	return all
}

// SetLanguage fetches a language and calls then, unless it cannot be had. The choice is
// remembered, and the language named to the browser, for whoever reads the page aloud.
func SetLanguage(code string, then func(*texts.Texts)) {
	go func() {
		text, err := await(studio.Call("speak", code))
		if err != nil {
			return // the page speaks on as it did
		}
		preferences.Set("language", code)
		then(texts.Decode(text.String()))
	}()
}

// Theme is the chosen theme.
func Theme() string { return preferences.Get("theme").String() }

// SetTheme puts a theme into effect and remembers it.
func SetTheme(theme string) { preferences.Set("theme", theme) }
