//go:build !js

package wasm_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/wasmtest"
)

type failure = wasmtest.Failure

var (
	buildSite = wasmtest.Build
	newSite   = wasmtest.Open
	serve     = wasmtest.Serve
	texture   = wasmtest.Texture
	pngFile   = wasmtest.PNG
	jpegFile  = wasmtest.JPEG

	taughtNatively = wasmtest.TaughtNatively
	sameScores     = wasmtest.SameScores
	samples        = wasmtest.Samples
)

func TestMain(m *testing.M) { wasmtest.Main(m) }
