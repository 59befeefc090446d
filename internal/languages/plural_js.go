package languages

import "syscall/js"

// PluralOf returns a language's plural rule, which maps numbers to CLDR's categories, from the
// browser.
func PluralOf(code string) func(x float64) string {
	rules := js.Global().Get("Intl").Get("PluralRules").New(code)
	return func(x float64) string { return rules.Call("select", x).String() }
}
