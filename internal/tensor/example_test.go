package tensor_test

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/tensor"
)

// A tensor is a shape and a slice, the last axis innermost.
func Example() {
	rows, columns := 2, 3
	t := tensor.Of([]float32{1, 2, 3, 4, 5, 6}, rows, columns)
	fmt.Println(t.Shape, t.Data[1*columns+2])
	fmt.Println(len(tensor.New(1, 84, 84, 3).Data))
	// Output:
	// [2 3] 6
	// 21168
}
