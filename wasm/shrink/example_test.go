package shrink_test

import (
	"fmt"

	"github.com/deepemd/deepemd/wasm/shrink"
)

// What is no program of a known toolchain is refused.
func ExampleShrink() {
	_, err := shrink.Shrink([]byte("\x7fELF"))
	fmt.Println(err)
	// Output:
	// shrink: no WebAssembly module of version 1: give what go build writes with GOARCH=wasm
}
