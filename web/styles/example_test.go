package styles_test

import (
	"bytes"
	"fmt"

	"github.com/deepemd/deepemd/web/styles"
)

// All sheets become one file; what the others build on comes first.
func ExampleBundle() {
	sheet, err := styles.Bundle()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Index(sheet, []byte(":root")) < bytes.Index(sheet, []byte("button")))
	// Output: true
}
