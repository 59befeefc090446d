package module_test

import (
	"fmt"

	"github.com/deepemd/deepemd/wasm/module"
)

// A module of one section, data: "hi" at address 3.
func ExampleMemory() {
	sections, err := module.Split([]byte("\x00asm\x01\x00\x00\x00" + "\x0b\x08\x01" + "\x00\x41\x03\x0b\x02hi"))
	if err != nil {
		fmt.Println(err)
		return
	}
	memory, err := module.Memory(sections)
	fmt.Printf("%q %v\n", memory, err)
	// Output:
	// "\x00\x00\x00hi" <nil>
}
