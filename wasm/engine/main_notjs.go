//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "engine: runs in a browser: build it with GOOS=js GOARCH=wasm, or run `go run ./tools/build`")
	os.Exit(1)
}
