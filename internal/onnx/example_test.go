package onnx_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// The same weights always give the same bytes.
func ExampleEncode() {
	network := resnettest.Weights([]int{16, 16, 16, 16}, 32, 1)
	var one, two bytes.Buffer
	if err := errors.Join(onnx.Encode(&one, network), onnx.Encode(&two, network)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(one.Len() > 0, bytes.Equal(one.Bytes(), two.Bytes()))
	// Output: true true
}
