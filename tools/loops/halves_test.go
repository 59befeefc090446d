package main

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"
)

// older are instructions that compute with floats from before vectors of 256 bits.
var older = regexp.MustCompile(`^(ADD|SUB|MUL|DIV|SQRT|MAX|MIN|UCOMI|COMI)S[SD]$|^CVT`)

// slowed finds the older instructions of a function of amd64 that run while the upper halves
// of vector registers are filled, which costs Intel's processors with AVX-512 many cycles each
// (kernel.EndVectors). It goes by the order in which the function lies in memory.
func slowed(function []instruction) (found []instruction) {
	filled := false
	for _, in := range function {
		switch {
		case fills(in.code):
			filled = true
		case in.mnemonic == "VZEROUPPER", in.mnemonic == "CALL": // what is called ends its vectors
			filled = false
		case filled && older.MatchString(in.mnemonic):
			found = append(found, in)
		}
	}
	return found
}

// fills tells whether code of amd64, in hexadecimal, writes more than the lower half of a
// vector register: behind a VEX prefix a bit says so, and EVEX counts.
func fills(code string) bool {
	b, err := hex.DecodeString(code)
	if err != nil || len(b) < 4 {
		return false
	}
	const vex2, vex3, evex, long = 0xc5, 0xc4, 0x62, 1 << 2
	return b[0] == vex2 && b[1]&long != 0 || b[0] == vex3 && b[2]&long != 0 || b[0] == evex
}

// Around vectors, scalar code of floats stands where their upper halves are cleared.
func TestScalarsMeetClearedHalves(t *testing.T) {
	functions, err := disassemble("amd64")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for name, function := range functions {
		if strings.Contains(name, "Test") || strings.Contains(name, "Benchmark") {
			continue
		}
		checked++
		for _, in := range slowed(function) {
			t.Errorf("%s: %s at %#x while vectors are filled", name, in.mnemonic, in.address)
		}
	}
	if checked < len(vectors) {
		t.Fatalf("%d functions listed", checked)
	}
}
