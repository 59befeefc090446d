// Command protocol generates the TypeScript types of the protocol (wasm/internal/protocol), of
// answers (core/answer) and of the method (core/method), and the table of methods. Package jsvalue
// converts the values.
//
//	go generate ./wasm/internal/protocol
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err == nil {
		err = write(filepath.Dir(strings.TrimSpace(string(mod))))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "protocol:", err)
		os.Exit(1)
	}
}

func write(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the generated files of the module at root, by name.
func generate(root string) (map[string][]byte, error) {
	d, err := parse(root)
	if err != nil {
		return nil, err
	}
	types, err := pageSide(d)
	if err != nil {
		return nil, err
	}
	methods, err := table()
	return map[string][]byte{"wasm/npm/protocol.d.ts": types, "wasm/npm/method.js": methods}, err
}
