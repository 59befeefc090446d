//go:build wasip1

// Command sleeper has nothing to run while it sleeps.
package main

import "time"

func main() {}

// sleep sleeps so many milliseconds, and answers with how many passed.
//
//go:wasmexport sleep
func sleep(milliseconds int32) int32 {
	begin := time.Now()
	time.Sleep(time.Duration(milliseconds) * time.Millisecond)
	return int32(time.Since(begin).Milliseconds())
}
