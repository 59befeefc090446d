package torch_test

import (
	"fmt"
	"os"

	"github.com/deepemd/deepemd/trainer/internal/torch"
)

// A pickle that asks for anything but tensors and plain containers is refused;
// nothing in it runs.
func ExampleLoad() {
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
		tensors, err := torch.Load(name, file, info.Size())
		fmt.Println(len(tensors), err != nil)
		file.Close()
	}
	// Output:
	// 5 false
	// 0 true
}
