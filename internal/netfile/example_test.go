package netfile_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// A network whose file says all that is needed comes with nothing assumed.
func ExampleRead() {
	folder, err := os.MkdirTemp("", "network")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "small.safetensors")
	err = atomicfile.Write(path, func(w io.Writer) error {
		return resnettest.Weights([]int{16, 16, 16, 16}, 32, 1).Encode(w, weights.F32)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	network, err := netfile.Read(path, "", netfile.Facts{}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(network.File.Meta.InputSize, len(network.File.Tensors))
	// Output:
	// 32 80
}
