// Package plural writes numbers of things in messages.
package plural

import "fmt"

// Count returns a number of things, such as "1 class" or "2 classes".
func Count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
