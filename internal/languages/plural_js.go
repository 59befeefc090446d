package languages

import "syscall/js"

// PluralOf returns a language's rules of plural: CLDR's categories, by number. The browser
// knows them.
func PluralOf(code string) func(x float64) string {
	rules := js.Global().Get("Intl").Get("PluralRules").New(code)
	return func(x float64) string { return rules.Call("select", x).String() }
}
