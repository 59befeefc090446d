package languages

import (
	"fmt"
	"slices"
	"strings"
)

// Message is a text with placeholders.
type Message []part

// part is literal text, an argument with an optional Kind, or, with cases, a choice by the number
// of an argument.
type part struct {
	text  string
	arg   string
	kind  Kind
	cases []choice
}

// Kind is the type of an argument.
type Kind string

const (
	Text     Kind = ""
	Number   Kind = "number"   // a whole number
	Decimal  Kind = "decimal"  // a number that may have decimals
	Verbatim Kind = "verbatim" // text without isolation: for texts that are stored as names
)

// choice is one case of a plural: for an exact number such as "=0", or a category such as "one".
type choice struct {
	when string
	says Message
}

var categories = []string{"zero", "one", "two", "few", "many", "other"}

// Parse parses a message. It returns an error with the remedy for invalid messages.
func Parse(text string) (Message, error) {
	p := parser{rest: text}
	m, err := p.message("")
	if err == nil && p.rest != "" {
		err = fmt.Errorf("a } has no matching {")
	}
	if err != nil {
		return nil, fmt.Errorf("%w, in %q", err, text)
	}
	return m, nil
}

type parser struct{ rest string }

// message reads up to the end or the } that closes the enclosing form. plural is the argument of
// the enclosing plural, or "".
func (p *parser) message(plural string) (Message, error) {
	var m Message
	for p.rest != "" && p.rest[0] != '}' {
		end := strings.IndexAny(p.rest, "{}#")
		if end < 0 {
			end = len(p.rest)
		}
		if end == 0 && p.rest[0] == '#' {
			p.rest = p.rest[1:]
			if plural == "" {
				m = append(m, part{text: "#"})
			} else {
				m = append(m, part{arg: plural, kind: Number})
			}
			continue
		}
		if end > 0 {
			if text := p.rest[:end]; end < len(p.rest) && strings.HasSuffix(text, "'") {
				return nil, fmt.Errorf("an apostrophe precedes %c: write ’", p.rest[end])
			}
			m = append(m, part{text: p.rest[:end]})
			p.rest = p.rest[end:]
			continue
		}
		argument, err := p.argument()
		if err != nil {
			return nil, err
		}
		m = append(m, argument)
	}
	return m, nil
}

// argument reads {name}, {name, kind} or {name, plural, …}.
func (p *parser) argument() (part, error) {
	end := strings.IndexAny(p.rest[1:], ",}{") + 1
	if end == 0 || p.rest[end] == '{' {
		return part{}, fmt.Errorf("a { is not closed: write {name}")
	}
	name := strings.TrimSpace(p.rest[1:end])
	if name == "" || strings.ContainsAny(name, " \t\n") {
		return part{}, fmt.Errorf("{%s} is not a name: write {name}", name)
	}
	closed := p.rest[end] == '}'
	p.rest = p.rest[end+1:]
	if closed {
		return part{arg: name}, nil
	}
	if word, rest, found := strings.Cut(p.rest, "}"); found {
		switch kind := Kind(strings.TrimSpace(word)); kind {
		case Number, Decimal, Verbatim:
			p.rest = rest
			return part{arg: name, kind: kind}, nil
		}
	}
	kind, cases, found := strings.Cut(p.rest, ",")
	if !found || strings.TrimSpace(kind) != "plural" {
		return part{}, fmt.Errorf("{%s, …} is not a plural: write {%s, plural, one {…} other {…}}, or {%s, number}", name, name, name)
	}
	p.rest = cases
	a := part{arg: name}
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\n")
		if strings.HasPrefix(p.rest, "}") {
			p.rest = p.rest[1:]
			break
		}
		c, err := p.choice(name)
		if err != nil {
			return part{}, err
		}
		a.cases = append(a.cases, c)
	}
	if !slices.ContainsFunc(a.cases, func(c choice) bool { return c.when == "other" }) {
		return part{}, fmt.Errorf("the plural of {%s} has no form for all other numbers: add other {…}", name)
	}
	return a, nil
}

// choice reads one case of a plural, such as one {# image}.
func (p *parser) choice(name string) (choice, error) {
	open := strings.IndexByte(p.rest, '{')
	if open < 0 {
		return choice{}, fmt.Errorf("the plural of {%s} is not closed: write {%s, plural, one {…} other {…}}", name, name)
	}
	when := strings.TrimSpace(p.rest[:open])
	exact := len(when) > 1 && when[0] == '=' && strings.Trim(when[1:], "0123456789") == ""
	if !exact && !slices.Contains(categories, when) {
		return choice{}, fmt.Errorf("the plural of {%s} has a form %q: forms are %s and exact numbers such as =0", name, when, strings.Join(categories, ", "))
	}
	p.rest = p.rest[open+1:]
	says, err := p.message(name)
	if err != nil {
		return choice{}, err
	}
	if !strings.HasPrefix(p.rest, "}") {
		return choice{}, fmt.Errorf("the form %s of {%s} is not closed: write %s {…}", when, name, when)
	}
	p.rest = p.rest[1:]
	return choice{when, says}, nil
}

// Args returns the arguments in the order of their first use.
func (m Message) Args() []string {
	var names []string
	for _, p := range m {
		found := []string{p.arg}
		for _, c := range p.cases {
			found = append(found, c.says.Args()...)
		}
		for _, name := range found {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Kind returns the kind of an argument: Decimal if it is declared so anywhere, Number if plural
// forms depend on it.
func (m Message) Kind(name string) Kind {
	kind := Text
	found := func(k Kind) {
		if kind != Decimal && k != Text {
			kind = k
		}
	}
	for _, p := range m {
		switch {
		case p.arg != name:
		case len(p.cases) > 0:
			found(Number)
		default:
			found(p.kind)
		}
		for _, c := range p.cases {
			found(c.says.Kind(name))
		}
	}
	return kind
}

// JavaScript returns the message as a JavaScript template whose variables have the names of the
// arguments. Plurals call plural(code, n, forms).
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

var templateEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "${", `\${`)
