//go:build !amd64 && !arm64 && !wasm

package kernel

// detect lists no vector set: only the generic one runs here.
func detect() []*Set { return nil }

// bytePanelOf is the product of bytes of a set.
func bytePanelOf(int) bytePanelFunc { return bytePanelGeneric }
