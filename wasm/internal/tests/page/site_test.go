//go:build !js

package page_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/internal/wasmtest"
)

type failure = wasmtest.Failure

var (
	newSite = wasmtest.Open
	serve   = wasmtest.Serve
	texture = wasmtest.Texture
	pngFile = wasmtest.PNG

	taughtNatively = wasmtest.TaughtNatively
	sameScores     = wasmtest.SameScores
)

func TestMain(m *testing.M) { testsite.Main(m) }
