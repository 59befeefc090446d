package device

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// Precisions of training in the settings.
const (
	Float32  = "float32"
	BFloat16 = "bfloat16" // mixed: see package bfloat16
	Auto     = "auto"     // the machine's fastest
)

// Precision resolves [Auto] for a card or for this machine's processor.
//
// # Errors
//
// An unknown name; bfloat16 on a processor without instructions for it, where it would be many times
// slower than float32.
func Precision(name string, card bool) (string, error) {
	_, fast := bfloat16.Fast()
	mixed := card || fast
	switch {
	case name == Float32, name == Auto && !mixed:
		return Float32, nil
	case name == BFloat16 && mixed, name == Auto:
		return BFloat16, nil
	case name == BFloat16:
		return "", fmt.Errorf("precision bfloat16: this machine has no instructions for it (AMX, on Linux, or AVX512_BF16, in a build with GOEXPERIMENT=simd): use precision = %q", Float32)
	}
	return "", fmt.Errorf("precision %q: use %s, %s or %s", name, Auto, Float32, BFloat16)
}

// Processor returns the processor in a precision, with a limit of threads or 0 for all cores. It
// returns the same errors as [Precision].
func Processor(precision string, threads int) (Device, error) {
	resolved, err := Precision(precision, false)
	if resolved != BFloat16 {
		return NewFloat32(threads), err
	}
	kernels, _ := bfloat16.Fast()
	return NewBFloat16(kernels, threads), nil
}
