//go:build !js

package main

import "log"

func main() { log.Fatal("wasmbench runs in a browser: build it with GOOS=js GOARCH=wasm") }
