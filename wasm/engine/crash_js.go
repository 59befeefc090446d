package main

import "os"

// crash makes the program fail in a given way, for tests of the page.
func crash(how string) {
	switch how {
	case "panic":
		panic("crashed on request")
	case "memory":
		// Allocate more than 32 bits address, in pieces like a program.
		for hold := [][]byte{}; ; hold = append(hold, make([]byte, 1<<28)) {
			_ = hold
		}
	case "hang":
		for turn := 0; ; turn++ {
			_ = turn
		}
	default:
		os.Exit(1)
	}
}
