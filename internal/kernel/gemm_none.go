//go:build !amd64 && !arm64 && !wasm

package kernel

// detect returns no set: only the generic one runs here.
func detect() []*Set { return nil }

func bytePanelOf(int) bytePanelFunc { return bytePanelGeneric }
