//go:build !js

package languages

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// PluralOf returns a language's plural rule, which maps numbers to CLDR's categories.
func PluralOf(code string) func(x float64) string {
	tag := language.Make(code)
	names := map[plural.Form]string{
		plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
	}
	return func(x float64) string {
		// The operands of UTS 35: whole part i, and v decimals f, without trailing zeros.
		whole, decimals, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'f', -1, 64), ".")
		i, _ := strconv.Atoi(whole)
		f, _ := strconv.Atoi(decimals)
		return names[plural.Cardinal.MatchPlural(tag, i, len(decimals), len(decimals), f, f)]
	}
}
