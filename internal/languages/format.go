package languages

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Rules describe the numbers of a language.
type Rules struct {
	// Point is the decimal separator.
	Point string
	// Plural returns CLDR's category of a number: "one", "few" and so on.
	Plural func(x float64) string
}

// Format formats a message. value returns an argument: a string, int or float64.
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

// chosen returns the form for the exact number, for its category, or for all others.
func chosen(cases []choice, r Rules, value any) Message {
	var x float64
	switch value := value.(type) {
	case int:
		x = float64(value)
	case float64:
		x = value
	}
	form := func(when string) int { return slices.IndexFunc(cases, func(c choice) bool { return c.when == when }) }
	i := form("=" + strconv.FormatFloat(x, 'f', -1, 64))
	if i < 0 && len(cases) > 1 {
		i = form(r.Plural(x))
	}
	if i < 0 {
		i = form("other") // which Parse requires
	}
	return cases[i].says
}

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
		return isolated(value)
	}
	return ""
}

// isolated isolates a name that contains right-to-left text from its sentence, with the Unicode
// characters FSI and PDI (UAX 9). It does not change other names.
func isolated(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, rightToLeft...) }) {
		return "\u2068" + name + "\u2069"
	}
	return name
}

// rightToLeft are the right-to-left scripts of living languages.
var rightToLeft = []*unicode.RangeTable{
	unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Mandaic,
}
