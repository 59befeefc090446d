//go:build !goexperiment.simd || !(amd64 || arm64 || wasm)

package kernel

// vectorBuild says whether this build has vector transforms.
const vectorBuild = false

// vectorTransforms are the generic ones in this build.
func vectorTransforms() transforms { return genericTransforms }
