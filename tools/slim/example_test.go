package slim_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/tools/slim"
)

// The copy has the components of go-app and their licence, and not the code that serves
// files.
func ExampleGoApp() {
	modfile, err := slim.GoApp(filepath.Join("..", ".."))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"pkg/app/component.go", "LICENSE", "pkg/app/static.go"} {
		_, err := os.Stat(filepath.Join(filepath.Dir(modfile), filepath.FromSlash(name)))
		fmt.Println(name, err == nil)
	}
	// Output:
	// pkg/app/component.go true
	// LICENSE true
	// pkg/app/static.go false
}
