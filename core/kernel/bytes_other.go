//go:build !amd64 && !arm64 && !wasm

package kernel

// bytePanelOf is the product of bytes of a set.
func bytePanelOf(int) bytePanelFunc { return bytePanelGeneric }
