package site_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/web/site"
)

// The documentation is made of the Markdown in the repository.
func ExampleDocuments() {
	pages, err := site.Documents(os.DirFS("../.."))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Contains(pages["embed.html"], []byte("npm install deepemd")))
	// Output: true
}
