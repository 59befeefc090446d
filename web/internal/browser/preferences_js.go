package browser

import "github.com/deepemd/deepemd/web/internal/texts"

// Language returns the texts of the chosen or preferred language, which the page's first script has
// fetched.
func Language() *texts.Texts { return texts.Decode(Studio.Get("texts").String()) }

// Languages returns the page's languages.
func Languages() []texts.Language {
	list := preferences.Get("languages")
	all := make([]texts.Language, list.Length())
	for i := range all {
		all[i] = texts.Language{Code: list.Index(i).Get("Code").String(), Name: list.Index(i).Get("Name").String()}
	}
	return all
}

// SetLanguage fetches a language, stores the choice, sets the page's lang attribute and calls then.
// It does nothing if the language cannot be fetched.
func SetLanguage(code string, then func(*texts.Texts)) {
	go func() {
		text, err := Await(Studio.Call("speak", code))
		if err != nil {
			return // the page speaks on as it did
		}
		preferences.Set("language", code)
		then(texts.Decode(text.String()))
	}()
}

// Theme returns the chosen theme.
func Theme() string { return preferences.Get("theme").String() }

// SetTheme applies and stores a theme.
func SetTheme(theme string) { preferences.Set("theme", theme) }
