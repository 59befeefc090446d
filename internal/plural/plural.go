// Package plural writes numbers of things, and lists of names, in messages.
package plural

import (
	"fmt"
	"strings"
)

// Count returns a number of things, such as "1 class" or "2 classes".
func Count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// First joins at most the given number of names, and counts the others: "a, b and 3 more".
func First(names []string, most int) string {
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Bytes formats a number of bytes: "6.6 GB".
func Bytes(n float64) string {
	switch {
	case n >= 1e15:
		return "more than 1000 TB"
	case n >= 1e12:
		return fmt.Sprintf("%.1f TB", n/1e12)
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", n/1e6)
	}
	return fmt.Sprintf("%.0f kB", n/1e3)
}
