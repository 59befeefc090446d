package languages

import (
	"strconv"
	"strings"
	"unicode"
)

// Rules are what a language does with numbers.
type Rules struct {
	// Point stands between whole and decimals.
	Point string
	// Plural returns the category of a number: CLDR's "one", "few" and so on.
	Plural func(x float64) string
}

// Format fills a message in. value returns an argument: a string, an int or a float64.
func (m Message) Format(r Rules, value func(name string) any) string {
	var b strings.Builder
	m.write(&b, r, value)
	return b.String()
}

func (m Message) write(b *strings.Builder, r Rules, value func(name string) any) {
	for _, p := range m {
		switch {
		case len(p.cases) > 0:
			chosen(p.cases, r, value(p.arg)).write(b, r, value)
		case p.arg != "":
			b.WriteString(r.written(value(p.arg), p.kind))
		default:
			b.WriteString(p.text)
		}
	}
}

// chosen returns the form for a number: that for exactly this one, that of its category, or
// the one for all others.
func chosen(cases []choice, r Rules, value any) Message {
	var x float64
	switch value := value.(type) {
	case int:
		x = float64(value)
	case float64:
		x = value
	}
	exact, category := "="+strconv.FormatFloat(x, 'f', -1, 64), ""
	var other Message
	for _, c := range cases {
		if c.when == exact {
			return c.says
		}
		if c.when == "other" {
			other = c.says
		}
	}
	if len(cases) > 1 {
		category = r.Plural(x)
	}
	for _, c := range cases {
		if c.when == category {
			return c.says
		}
	}
	return other
}

// written is an argument as the language writes it.
func (r Rules) written(value any, kind Kind) string {
	switch value := value.(type) {
	case int:
		return strconv.Itoa(value)
	case float64:
		return strings.Replace(strconv.FormatFloat(value, 'f', -1, 64), ".", r.Point, 1)
	case string:
		if kind == Verbatim {
			return value
		}
		return Isolated(value)
	}
	return ""
}

// Isolated sets a name that runs from right to left, or has parts that do, apart from the
// sentence around it, by the characters that Unicode has for it (UAX 9, FSI and PDI). Other
// names stay the same.
func Isolated(name string) string {
	for _, r := range name {
		if unicode.In(r, rightToLeft...) {
			return "\u2068" + name + "\u2069"
		}
	}
	return name
}

// rightToLeft are the scripts of living languages that run so.
var rightToLeft = []*unicode.RangeTable{
	unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Mandaic,
}
