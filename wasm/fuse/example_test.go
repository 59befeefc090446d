package fuse_test

import (
	"fmt"

	"github.com/deepemd/deepemd/wasm/fuse"
)

// The code of v1·v2 + v3: get, get, multiply, get, add. The last three become one
// instruction, filled up so that nothing behind them moves.
func ExampleFuse() {
	code := []byte{0x20, 1, 0x20, 2, 0xFD, 0xE6, 0x01, 0x20, 3, 0xFD, 0xE4, 0x01}
	fused, sums, dots := fuse.Fuse(code)
	fmt.Println(sums, dots)
	fmt.Printf("% X\n", fused[:12])
	// Output:
	// 1 0
	// 20 01 20 02 20 03 FD 85 02 01 01 01
}
