package data

import "fmt"

// Bytes writes a number of bytes for people: "6.6 GB".
func Bytes(n int64) string {
	switch {
	case n >= 1e15:
		return "more than 1000 TB"
	case n >= 1e12:
		return fmt.Sprintf("%.1f TB", float64(n)/1e12)
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0f kB", float64(n)/1e3)
}
