package kernel

import "sync"

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
