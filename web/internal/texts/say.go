package texts

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Decimal formats a number with the given decimals.
func (t *Texts) Decimal(x float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(x, 'f', decimals, 64), ".", t.Number.Point, 1)
}

// PerSecond formats a rate: with a decimal if it is below 10.
func (t *Texts) PerSecond(n float64) string {
	if n < 9.95 {
		return t.Decimal(n, 1)
	}
	return t.Decimal(n, 0)
}

// Percent formats a share from 0 to 1 in whole percent.
func (t *Texts) Percent(share float64) string { return t.Number.Percent(t.Decimal(100*share, 0)) }

// Duration formats a duration in whole seconds, or from two minutes in whole minutes.
func (t *Texts) Duration(d time.Duration) string {
	if d < 2*time.Minute {
		return t.Number.Seconds(max(1, int(math.Round(d.Seconds()))))
	}
	return t.Number.Minutes(int(math.Round(d.Minutes())))
}

// Join joins names to a list such as "a, b and c".
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

// Numbered returns the name of the n-th of several things with one name: the first has the plain
// name.
func Numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + " (" + strconv.Itoa(n) + ")"
}
