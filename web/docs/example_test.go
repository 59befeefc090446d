package docs_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/web/docs"
)

// The documentation is made of the Markdown in the repository.
func ExamplePages() {
	pages, err := docs.Pages(os.DirFS("../.."))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Contains(pages["embed.html"], []byte("npm install deepemd")))
	// Output: true
}
