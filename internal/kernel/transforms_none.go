//go:build !goexperiment.simd || !(amd64 || arm64 || wasm)

package kernel

// vectorBuild is set if this build has vector transforms.
const vectorBuild = false

func vectorTransforms() transforms { return genericTransforms }
