package texts

import (
	"strconv"
	"strings"
)

// Decimal writes a number with so many decimals as the language does.
func (t *Texts) Decimal(x float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(x, 'f', decimals, 64), ".", t.Number.Point, 1)
}

// PerSecond writes how many there are in a second: slow ones with a decimal.
func (t *Texts) PerSecond(n float64) string {
	if n < 9.95 {
		return t.Decimal(n, 1)
	}
	return t.Decimal(n, 0)
}

// Percent writes a share from 0 to 1 in whole percent.
func (t *Texts) Percent(share float64) string { return t.Number.Percent(t.Decimal(100*share, 0)) }

// Join lists names as a person would: "a, b and c".
func (t *Texts) Join(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	case 2:
		return t.List.Two(names[0], names[1])
	default:
		list := names[0]
		for _, name := range names[1 : n-1] {
			list = t.List.More(list, name)
		}
		return t.List.Last(list, names[n-1])
	}
}

// Numbered tells things of the same name apart: the first has the name alone.
func Numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + " (" + strconv.Itoa(n) + ")"
}
