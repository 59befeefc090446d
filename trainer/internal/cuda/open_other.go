//go:build !linux || !(amd64 || arm64)

package cuda

import (
	"errors"

	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Open returns an error: a card is used on Linux only.
func Open(int, bool) (device.Device, error) {
	return nil, errors.New("a card is used on Linux only, on x86-64 and ARM processors of 64 bits")
}
