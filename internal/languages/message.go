package languages

import (
	"fmt"
	"slices"
	"strings"
)

// Message is a text with places for names and numbers.
type Message []part

// part is one of three: text as it is written; an argument, of a Kind if the message gives
// one; or, where there are cases, a choice by an argument's number.
type part struct {
	text  string
	arg   string
	kind  Kind
	cases []choice
}

// Kind is what an argument is, as the message gives it after the argument's name.
type Kind string

const (
	Text     Kind = ""
	Number   Kind = "number"   // a whole number
	Decimal  Kind = "decimal"  // a number that may have decimals
	Verbatim Kind = "verbatim" // text without what sets names apart: for texts that are kept as names
)

// choice is one case of a plural: for an exact number such as "=0", or for a category
// such as "one".
type choice struct {
	when string
	says Message
}

// categories are the plural forms that languages have.
var categories = []string{"zero", "one", "two", "few", "many", "other"}

// Parse reads a message.
//
// # Errors
//
// It returns an error for what is no message, and says what to write.
func Parse(text string) (Message, error) {
	p := parser{rest: text}
	m, err := p.message("")
	if err == nil && p.rest != "" {
		err = fmt.Errorf("there is a } without a {")
	}
	if err != nil {
		return nil, fmt.Errorf("%w, in %q", err, text)
	}
	return m, nil
}

// parser reads a message from left to right.
type parser struct{ rest string }

// message reads up to the end or to a } that closes what it stands in; plural names the
// argument of the plural around it, "" for none.
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
				return nil, fmt.Errorf("an apostrophe stands before %c: write ’", p.rest[end])
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
		return part{}, fmt.Errorf("{%s} is no name: write {name}", name)
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
		return part{}, fmt.Errorf("{%s, …} is no plural: write {%s, plural, one {…} other {…}}, or {%s, number}", name, name, name)
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

// choice reads one case of the plural of an argument, such as one {# picture}.
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

// Args lists the arguments in the order in which they first come.
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

// Kind returns the kind of an argument: Decimal if the message gives it so anywhere, Number
// if plural forms depend on it.
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
