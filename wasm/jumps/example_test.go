package jumps_test

import (
	"fmt"

	"github.com/deepemd/deepemd/wasm/jumps"
)

// What is no program is refused.
func ExampleStraighten() {
	_, err := jumps.Straighten([]byte("\x7fELF"))
	fmt.Println(err)
	// Output:
	// jumps: no WebAssembly module of version 1: give what go build writes with GOARCH=wasm
}
