// Package cuda computes the layers of a network in training on an NVIDIA card: [Open] returns it as
// a [device.Device]. It opens NVIDIA's libraries at run time, so that the same binary runs on
// machines without them. cuDNN computes the convolutions, and the kernels in kernels.cu everything
// else.
package cuda

import "errors"

// ErrNone is the error of a machine without a card or its driver, or of a program without NVIDIA's libraries.
var ErrNone = errors.New("no NVIDIA card or driver found")
