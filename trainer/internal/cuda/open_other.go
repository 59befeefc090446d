//go:build !linux || !(amd64 || arm64) || nocuda

package cuda

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Open returns an error: this program is built without NVIDIA's libraries.
func Open(int, bool) (device.Device, error) {
	return nil, fmt.Errorf("%w: cards need a program for Linux on amd64 or arm64, built without the tag nocuda", ErrNone)
}
