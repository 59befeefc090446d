package atomicfile_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// Who comes second is told so, and comes in when the first has ended.
func ExampleHoldFolder() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	first, err := atomicfile.HoldFolder(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = atomicfile.HoldFolder(dir)
	var inUse *atomicfile.InUseError
	fmt.Println(errors.As(err, &inUse) && inUse.Process == os.Getpid())
	fmt.Println(first.Release())
	second, err := atomicfile.HoldFolder(dir)
	fmt.Println(err, second.Release())
	// Output:
	// true
	// <nil>
	// <nil> <nil>
}
