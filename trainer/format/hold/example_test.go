package hold_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/trainer/format/hold"
)

// Who comes second is told so, and comes in when the first has ended.
func ExampleFolder() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	first, err := hold.Folder(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = hold.Folder(dir)
	var inUse *hold.InUseError
	fmt.Println(errors.As(err, &inUse) && inUse.Process == os.Getpid())
	fmt.Println(first.Release())
	second, err := hold.Folder(dir)
	fmt.Println(err, second.Release())
	// Output:
	// true
	// <nil>
	// <nil> <nil>
}
