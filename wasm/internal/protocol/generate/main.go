// Command generate generates the TypeScript types of the protocol (wasm/internal/protocol), of
// answers (core/answer) and of the method (core/method), and the table of methods. Package jsvalue
// converts the values.
//
//	go generate ./wasm/internal/protocol
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

func main() {
	const root = "../../.." // go generate runs in the folder of the protocol
	files, err := generate(root)
	for name, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), data, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate returns the generated files of the module at root, by name.
func generate(root string) (map[string][]byte, error) {
	s, err := read(root)
	if err != nil {
		return nil, err
	}
	types, err := s.types(protocol.Messages)
	if err != nil {
		return nil, err
	}
	methods, err := table()
	return map[string][]byte{"wasm/npm/protocol.d.ts": types, "wasm/npm/method.js": methods}, err
}
