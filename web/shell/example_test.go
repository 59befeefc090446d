package shell_test

import (
	"bytes"
	"fmt"

	"github.com/deepemd/deepemd/web/shell"
)

// The page is all there before its program runs, the button that starts the camera
// among it.
func ExamplePage() {
	page, err := shell.Page()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Contains(page, []byte("<!DOCTYPE html>")), bytes.Contains(page, []byte("Start camera")))
	// Output: true true
}
