package main

import "fmt"

func Example_summary() {
	fmt.Println(summary("fuzz: elapsed: 1m0s, execs: 1714436 (34353/sec), new interesting: 75 (total: 181)\nPASS\n"))
	// Output: 1714436 inputs, 75 of them new
}
