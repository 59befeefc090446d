package languages

import (
	"fmt"
	"strings"
)

// JavaScript is the message as an expression: a template whose variables have the names of
// the arguments, with a call of plural(code, n, forms) for each plural.
func (m Message) JavaScript(code string) string {
	var b strings.Builder
	b.WriteByte('`')
	for _, p := range m {
		switch {
		case len(p.cases) > 0:
			var forms []string
			for _, c := range p.cases {
				forms = append(forms, fmt.Sprintf("%q: %s", c.when, c.says.JavaScript(code)))
			}
			fmt.Fprintf(&b, "${plural(%q, %s, { %s })}", code, p.arg, strings.Join(forms, ", "))
		case p.arg != "":
			b.WriteString("${" + p.arg + "}")
		default:
			b.WriteString(templateEscapes.Replace(p.text))
		}
	}
	b.WriteByte('`')
	return b.String()
}

// templateEscapes has text stand for itself in a template.
var templateEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "${", `\${`)
