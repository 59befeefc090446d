package main

import "os"

// crash makes the program fail as programs do, so that tests can see what the
// page makes of it.
func crash(how string) {
	switch how {
	case "panic":
		panic("crashed on request")
	case "memory":
		// More than 32 bits address, taken in pieces as a program would.
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
