package wasmopt_test

import (
	"fmt"

	"github.com/deepemd/deepemd/tools/wasmopt"
)

// A module without code or data stays the same.
func ExampleOptimize() {
	empty := "\x00asm\x01\x00\x00\x00"
	optimized, err := wasmopt.Optimize([]byte(empty), wasmopt.Options{Lines: true})
	fmt.Println(string(optimized) == empty, err)
	// Output:
	// true <nil>
}
