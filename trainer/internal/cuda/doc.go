// Package cuda computes the layers of a network in training on an NVIDIA card: [Open] returns it as
// a [device.Device]. It opens NVIDIA's libraries at run time, so that the same binary runs on
// machines without them. cuDNN computes the convolutions, and the kernels in kernels.cu everything
// else.
package cuda
