package madeup_test

import (
	"fmt"

	"github.com/deepemd/deepemd/tools/bench/madeup"
)

// A network of the shape of ResNet-18.
func ExampleFile() {
	f, err := madeup.File("ResNet-18")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Meta.Arch, f.Meta.Widths)
	// Output: resnet [64 128 256 512]
}
