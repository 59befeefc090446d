package main

import "regexp"

// older are instructions that compute with floats from before vectors of 256 bits.
var older = regexp.MustCompile(`^(ADD|SUB|MUL|DIV|SQRT|MAX|MIN|UCOMI|COMI)S[SD]$|^CVT`)

// slowed finds the older instructions of a function of amd64 that run while the upper halves
// of vector registers are filled, which costs Intel's processors with AVX-512 many cycles each
// (kernel.EndVectors). It goes by the order in which the function lies in memory.
func slowed(function []instruction) (found []instruction) {
	filled := false
	for _, in := range function {
		switch {
		case in.fills:
			filled = true
		case in.mnemonic == "VZEROUPPER", in.mnemonic == "CALL": // what is called ends its vectors
			filled = false
		case filled && older.MatchString(in.mnemonic):
			found = append(found, in)
		}
	}
	return found
}
