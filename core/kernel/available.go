package kernel

import "sync"

var generic = &Set{name: "generic", panel: 16, gemm: gemmGeneric, transforms: genericTransforms}

// available is worked out once.
var available = sync.OnceValue(func() []*Set { return append(detect(), generic) })

// vectorSet joins a matrix product with the transforms that this build has.
func vectorSet(name string, panel int, gemm func(width, m, k, lda, ldc int, a, b, c *float32, accumulate bool)) *Set {
	if !vectorBuild {
		name += " (generic transforms)"
	}
	return &Set{name: name, panel: panel, gemm: gemm, transforms: vectorTransforms()}
}
