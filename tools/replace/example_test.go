package replace_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/tools/replace"
)

func ExampleFile() {
	folder, err := os.MkdirTemp("", "replace")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "new", "file.txt")
	for _, text := range []string{"one", "two"} {
		if err := replace.File(path, []byte(text)); err != nil {
			panic(err)
		}
	}
	data, err := os.ReadFile(path)
	fmt.Println(string(data), err)
	// Output: two <nil>
}
