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

// CardPrecision resolves [Auto] for a card. It returns an error for an unknown name.
func CardPrecision(name string) (string, error) {
	switch name {
	case Auto:
		return BFloat16, nil
	case Float32, BFloat16:
		return name, nil
	}
	return "", unknown(name)
}

func unknown(precision string) error {
	return fmt.Errorf("precision %q: use %s, %s or %s", precision, Auto, Float32, BFloat16)
}

// Precision returns the kernels of a precision, or nil for float32, and the precision's name, which
// resolves [Auto].
//
// # Errors
//
// An unknown name; bfloat16 on a machine without hardware for it, where it would be many times
// slower than float32.
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
	return nil, "", unknown(name)
}

// Processor returns the processor in a precision, with a limit of threads or 0 for all cores. It
// returns the same errors as [Precision].
func Processor(precision string, threads int) (Device, error) {
	mixed, _, err := Precision(precision)
	if mixed == nil {
		return NewFloat32(threads), err
	}
	return NewBFloat16(mixed, threads), err
}
