package kernel

import "sync"

// Lanes divides the number of channels of everything that a kernel works on:
// it is a multiple of every instruction set's vector length.
const Lanes = 16

// Pad rounds a number of channels up to a multiple of [Lanes].
func Pad(channels int) int { return (channels + Lanes - 1) / Lanes * Lanes }

// Set is one implementation of the kernels. Sets are immutable and safe for
// concurrent use. Packed matrices belong to the set that packed them.
type Set struct {
	name  string
	panel int // columns of a full panel of a packed matrix: a multiple of Lanes

	gemm   gemmFunc
	gemmT  gemmTFunc
	frugal bool      // products cost more than reading filters, see FewPixels
	blocks blockFunc // nil where the hardware has no products of bfloat16
	splits splitFunc // nil where they are not many times as fast as those of float32
	// wholeBlocks says that blocks takes no parts of blocks, see BlockPart.
	wholeBlocks bool

	bytePanel bytePanelFunc
	transforms
}

// gemmFunc computes C = A·B or C = from + A·B for one panel of B, which has width
// columns (Set.panel, or Lanes for the last panel), m rows of A, C and from, k > 0. from
// has the layout of C, may be C, and is nil for none. Unless bias is nil, the layer ends as
// [Ending] says.
type gemmFunc func(width, m, k, lda, ldc int, a, b, c, from, bias *float32, slope, most float32)

// gemmTFunc computes C = Aᵀ·B or C += Aᵀ·B for width columns of B (as above) and
// m columns of A, a multiple of Lanes; k > 0.
type gemmTFunc func(width, m, k, lda, ldb, ldc int, a, b, c *float32, accumulate bool)

// Name says which instruction set runs, and whether the transforms are the
// generic ones: "amx" (which is avx512 with
// blocks of bfloat16), "avx512", "avx2", "neon", "simd128", "generic", "avx2 (generic transforms)".
func (s *Set) Name() string { return s.name }

// FewPixels is up to how many pixels in all a convolution's plain filters are
// the fastest to read, however many products that takes: more for sets that
// multiply faster than memory delivers.
func (s *Set) FewPixels() int {
	if s.frugal {
		return 4
	}
	return 9
}

// Best returns the fastest set that this machine can run.
func Best() *Set { return available()[0] }

// Available lists the sets that this machine can run, the fastest first; the
// last one is always the generic set.
func Available() []*Set { return available() }

// Name is the name of the best set: the kernels that run unless told otherwise.
func Name() string { return Best().Name() }

var generic = &Set{name: "generic", panel: 16, gemm: gemmGeneric, gemmT: gemmTGeneric, bytePanel: bytePanelGeneric, transforms: genericTransforms}

// available is worked out once.
var available = sync.OnceValue(func() []*Set { return append(detect(), generic) })

// vectorSet joins the matrix products with the transforms that this build has.
func vectorSet(name string, panel int, gemm gemmFunc, gemmT gemmTFunc) *Set {
	if !vectorBuild {
		name += " (generic transforms)"
	}
	return &Set{name: name, panel: panel, gemm: gemm, gemmT: gemmT, bytePanel: bytePanelOf(panel), transforms: vectorTransforms()}
}
