package arrays_test

import (
	"bytes"
	"fmt"

	"github.com/deepemd/deepemd/internal/arrays"
)

// Labels go to a NumPy file and come back.
func ExampleWriteNPY() {
	labels, err := arrays.Labels([]int{2, 0, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := arrays.WriteNPY(&file, labels); err != nil {
		fmt.Println(err)
		return
	}
	read, err := arrays.ReadNPY(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(arrays.Ints(read))
	// Output: [2 0 1] <nil>
}
