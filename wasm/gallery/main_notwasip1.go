//go:build !wasip1

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "gallery: runs in a browser: build it with GOOS=wasip1 GOARCH=wasm and -buildmode=c-shared, or run `go run ./tools/build`")
	os.Exit(1)
}
