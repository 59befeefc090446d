package texts

import (
	"strconv"
	"strings"
)

// counted is a counted thing in a language with singular and plural, such as
// English and German: one for 1, many for every other number. In many, # stands
// for the number. A language with more forms (Polish, Arabic) brings a function
// of its own.
func counted(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return strings.Replace(many, "#", strconv.Itoa(n), 1)
}

// onTheWay adds to a counted thing how many more are coming.
func onTheWay(counted string, more int) string {
	if more == 0 {
		return counted
	}
	return counted + " + " + strconv.Itoa(more)
}

// Decimal writes a number with so many decimals as the language does.
func (t *Texts) Decimal(x float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(x, 'f', decimals, 64), ".", t.Number.Point, 1)
}

// Percent writes a share from 0 to 1 in whole percent.
func (t *Texts) Percent(share float64) string { return t.Number.Percent(t.Decimal(100*share, 0)) }

// sentence makes an error message into a sentence. A first word with a full stop
// in it is a file name and keeps its form.
func sentence(message string) string {
	message = strings.TrimSpace(message)
	if message == "" {
		return ""
	}
	if first := message[:1]; !strings.Contains(strings.SplitN(message, " ", 2)[0], ".") {
		message = strings.ToUpper(first) + message[1:]
	}
	if !strings.ContainsAny(message[len(message)-1:], ".!?") {
		message += "."
	}
	return message
}

// join lists names as a person would: "a, b and c".
func join(names []string, and string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + and + " " + names[len(names)-1]
}

// Numbered tells things of the same name apart: the first has the name alone.
func Numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + " (" + strconv.Itoa(n) + ")"
}
