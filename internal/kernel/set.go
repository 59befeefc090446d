package kernel

import "sync"

// Lanes divides all numbers of channels. It is a multiple of every instruction set's vector length.
const Lanes = 16

// Pad rounds a number of channels up to a multiple of [Lanes].
func Pad(channels int) int { return (channels + Lanes - 1) / Lanes * Lanes }

// Set is one implementation of the kernels. Sets are immutable and safe for concurrent use. A
// packed matrix can be used only with the set that packed it.
type Set struct {
	name  string
	panel int // columns of a full panel of a packed matrix: a multiple of Lanes

	gemm   gemmFunc
	gemmT  gemmTFunc
	frugal bool      // products are slower than reading filters, see FewPixels
	blocks blockFunc // nil without bfloat16 products in hardware
	splits splitFunc // nil unless they are many times as fast as float32 products
	// wholeBlocks is set if blocks does not support partial blocks, see BlockPart.
	wholeBlocks bool

	bytePanel bytePanelFunc
	transforms
}

// gemmFunc computes C = A·B or C = from + A·B for one panel of B with width columns (Set.panel, or
// Lanes for the last panels), m rows and k > 0. from has the layout of C, may be C, and may be nil.
// If bias is not nil, the layer ends as in [Ending].
type gemmFunc func(width, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32)

// gemmTFunc computes C = Aᵀ·B or C += Aᵀ·B for width columns of B and m columns of A, a multiple of
// Lanes; k > 0.
type gemmTFunc func(width, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool)

// Name returns the name of the instruction set: "amx" (avx512 with bfloat16 blocks), "avx512",
// "avx2", "neon", "simd128", "simd128-fma" or "generic", with " (generic transforms)" if the build
// has no vector transforms.
func (s *Set) Name() string { return s.name }

// FewPixels is the largest number of pixels, over all images, below which plain filters are the
// fastest: reading the filters then takes longer than the products. It is larger for sets that
// multiply faster than memory delivers.
func (s *Set) FewPixels() int {
	if s.frugal {
		return 4
	}
	return 9
}

// Best returns the fastest set that this machine supports.
func Best() *Set { return available()[0] }

// Available lists the sets that this machine supports, the fastest first and the generic set last.
func Available() []*Set { return available() }

// Name returns the name of the best set, the default.
func Name() string { return Best().Name() }

var generic = &Set{name: "generic", panel: 16, gemm: gemmGeneric, gemmT: gemmTGeneric, bytePanel: bytePanelGeneric, transforms: genericTransforms}

var available = sync.OnceValue(func() []*Set { return append(detect(), generic) })

// vectorSet combines matrix products with the transforms of this build.
func vectorSet(name string, panel int, gemm gemmFunc, gemmT gemmTFunc) *Set {
	if !vectorBuild {
		name += " (generic transforms)"
	}
	return &Set{name: name, panel: panel, gemm: gemm, gemmT: gemmT, bytePanel: bytePanelOf(panel), transforms: vectorTransforms()}
}
