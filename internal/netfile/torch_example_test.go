package netfile_test

import (
	"fmt"
	"os"

	"github.com/deepemd/deepemd/internal/netfile"
)

// A pickle that asks for anything but tensors and plain containers is refused;
// nothing in it runs.
func ExampleLoadTorch() {
	for _, name := range []string{"params.pth", "class.pth"} {
		file, err := os.Open("testdata/" + name)
		if err != nil {
			fmt.Println(err)
			return
		}
		info, err := file.Stat()
		if err != nil {
			fmt.Println(err)
			return
		}
		tensors, err := netfile.LoadTorch(name, file, info.Size())
		fmt.Println(len(tensors), err != nil)
		file.Close()
	}
	// Output:
	// 5 false
	// 0 true
}
