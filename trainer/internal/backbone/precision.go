package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// Precisions of training, as settings name them.
const (
	Float32  = "float32"
	BFloat16 = "bfloat16" // mixed: see package bfloat16
	Auto     = "auto"     // the fastest that this machine's hardware has
)

// Precision returns the kernels of a precision, nil for float32, and its own name
// if it is [Auto].
//
// # Errors
//
// An unknown name; bfloat16 on a machine without the hardware for it, where it
// would be many times slower than float32.
func Precision(name string) (kernels *bfloat16.Kernels, resolved string, err error) {
	fast, ok := bfloat16.Fast()
	switch {
	case name == Float32, name == Auto && !ok:
		return nil, Float32, nil
	case (name == BFloat16 || name == Auto) && ok:
		return fast, BFloat16, nil
	case name == BFloat16:
		return nil, "", fmt.Errorf("precision bfloat16: this machine has no instructions for it (AMX, on Linux, or AVX512_BF16, in a build with GOEXPERIMENT=simd): use precision = %q", Float32)
	}
	return nil, "", fmt.Errorf("precision %q: use %s, %s or %s", name, Auto, Float32, BFloat16)
}
