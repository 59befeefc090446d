package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// mixedBlock is a block in mixed precision. It shares the weights of a float32 block, and keeps the maps
// of the forward pass as bfloat16.
type mixedBlock struct {
	*block
	kernels                               *bfloat16.Kernels
	conv1, conv2, conv3, shortcut         *bfloat16.Conv
	in, z1, y1, z2, y2, z3, zs, sum       *bfloat16.Map
	pooled                                *bfloat16.Map
	g, dz, dzs, din                       *bfloat16.Map
	transposed, interleaved, transposedIn *bfloat16.Map
	moments, momentsShortcut              bfloat16.Moments
}

// newHalf returns the block in mixed precision. Its input has in channels; for the first block they
// come from [bfloat16.Map.LoadColumns].
func newHalf(b *block, k *bfloat16.Kernels, in int) *mixedBlock {
	h := &mixedBlock{block: b, kernels: k}
	h.conv2 = bfloat16.NewConv(k, b.conv2.filters(), b.out)
	h.conv3 = bfloat16.NewConv(k, b.conv3.filters(), b.out)
	h.conv1 = bfloat16.NewConv(k, b.conv1.filters(), in)
	shortcut := b.shortcut.filters()
	if b.first {
		shortcut.First = in / 2 / 3 * 3 // the pixel itself among its neighbors
	}
	h.shortcut = bfloat16.NewConv(k, shortcut, in)
	for _, c := range []struct {
		of *Param
		to *bfloat16.Conv
	}{{b.conv1.weight(), h.conv1}, {b.conv2.weight(), h.conv2}, {b.conv3.weight(), h.conv3}, {b.shortcut.weight(), h.shortcut}} {
		changed := c.of.Changed
		c.of.Changed = func() { changed(); c.to.Invalidate() }
	}
	return h
}

func (h *mixedBlock) resize(in *bfloat16.Map) {
	h.in = in
	if h.z1.Fits(in.N, in.H, in.W) {
		return
	}
	for _, m := range []**bfloat16.Map{&h.z1, &h.y1, &h.z2, &h.y2, &h.z3, &h.zs, &h.sum, &h.g, &h.dz, &h.dzs} {
		*m = h.kernels.NewMap(in.N, in.H, in.W, h.out)
	}
	for _, m := range []**bfloat16.Map{&h.transposed, &h.interleaved} {
		*m = bfloat16.NewOperand(in.N, in.H, in.W, h.out)
	}
	h.pooled = h.kernels.NewMap(in.N, in.H/2, in.W/2, h.out)
	h.transposedIn = bfloat16.NewOperand(in.N, in.H, in.W, in.C)
	if !h.first {
		h.din = in.NewLike()
	}
}

// finishStatistics completes the statistics of a normalization over a map.
func (h *mixedBlock) finishStatistics(norm *BatchNorm, z *bfloat16.Map) bfloat16.Affine {
	sums, squares := h.moments.Sums()
	norm.SetSums(sums, squares, z.N*z.H*z.W)
	scale, shift := norm.Affine()
	return bfloat16.Affine{Scale: scale, Shift: shift}
}

func (h *mixedBlock) forward(ctx *nn.Context, in *bfloat16.Map) *bfloat16.Map {
	h.resize(in)
	normalize := func(norm *BatchNorm, y, z *bfloat16.Map) {
		a := h.finishStatistics(norm, z)
		bfloat16.Normalize(ctx, h.kernels, y, z, a.Scale, a.Shift, nn.LeakySlope)
	}
	h.conv1.Forward(ctx, h.z1, in, &h.moments)
	normalize(h.norm1, h.y1, h.z1)
	h.conv2.Forward(ctx, h.z2, h.y1, &h.moments)
	normalize(h.norm2, h.y2, h.z2)
	h.shortcut.Forward(ctx, h.zs, in, &h.moments)
	shortcut := h.finishStatistics(h.normShortcut, h.zs)
	h.conv3.Forward(ctx, h.z3, h.y2, &h.moments)
	bfloat16.Join(ctx, h.kernels, h.sum, h.z3, h.zs, h.finishStatistics(h.norm3, h.z3), shortcut, nn.LeakySlope)

	bfloat16.MaxPool(ctx, h.kernels, h.pooled, h.sum)
	return h.pooled
}

// backward returns the gradient of the input from the gradient of the output; nil for the first
// block.
func (h *mixedBlock) backward(ctx *nn.Context, g *bfloat16.Map) *bfloat16.Map {
	bfloat16.Unpool(ctx, h.kernels, h.g, g, h.sum, h.z3, h.zs, nn.LeakySlope, &h.moments, &h.momentsShortcut)
	h.descend(ctx, h.normShortcut, h.dzs, h.g, h.zs, &h.momentsShortcut)
	h.descend(ctx, h.norm3, h.dz, h.g, h.z3, &h.moments)

	h.backwardConv(ctx, h.conv3, h.y2, h.z2)
	h.descend(ctx, h.norm2, h.dz, h.g, h.z2, &h.moments)
	h.backwardConv(ctx, h.conv2, h.y1, h.z1)
	h.descend(ctx, h.norm1, h.dz, h.g, h.z1, &h.moments)

	bfloat16.Transposed(ctx, h.kernels, h.transposedIn, h.in)
	bfloat16.Interleaved(ctx, h.kernels, h.interleaved, h.dz)
	h.conv1.Gradient(ctx, h.transposedIn, h.interleaved)
	bfloat16.Interleaved(ctx, h.kernels, h.interleaved, h.dzs)
	h.shortcut.Gradient(ctx, h.transposedIn, h.interleaved)
	if h.first {
		return nil
	}
	bfloat16.Backward(ctx, h.din, nil, bfloat16.Path{Conv: h.conv1, Gradient: h.dz}, bfloat16.Path{Conv: h.shortcut, Gradient: h.dzs})
	return h.din
}

// backwardConv sets the gradient of a convolution's weights from the gradient of its output, h.dz, and
// takes it back to h.g, before the normalization that computed the convolution's input y from z.
func (h *mixedBlock) backwardConv(ctx *nn.Context, conv *bfloat16.Conv, y, z *bfloat16.Map) {
	bfloat16.Transposed(ctx, h.kernels, h.transposed, y)
	bfloat16.Interleaved(ctx, h.kernels, h.interleaved, h.dz)
	conv.Gradient(ctx, h.transposed, h.interleaved)
	bfloat16.Backward(ctx, h.g, &bfloat16.Preceding{Y: y, Z: z, Slope: nn.LeakySlope, Moments: &h.moments}, bfloat16.Path{Conv: conv, Gradient: h.dz})
}

// descend sets the gradients of a normalization and of its input z.
func (h *mixedBlock) descend(ctx *nn.Context, norm *BatchNorm, dz, g, z *bfloat16.Map, m *bfloat16.Moments) {
	sums, products := m.Sums()
	norm.Descend(sums, products, z.N*z.H*z.W)
	a, b, k := norm.Slopes()
	bfloat16.Combine(ctx, h.kernels, dz, g, z, a, b, k)
}

// Precisions of training in the settings.
const (
	Float32  = "float32"
	BFloat16 = "bfloat16" // mixed: see package bfloat16
	Auto     = "auto"     // the machine's fastest
)

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
	return nil, "", fmt.Errorf("precision %q: use %s, %s or %s", name, Auto, Float32, BFloat16)
}
