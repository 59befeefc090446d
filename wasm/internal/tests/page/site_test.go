//go:build !js

package page_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/internal/wasmtest"
)

type failure = wasmtest.Failure

var (
	serve   = wasmtest.Serve
	texture = wasmtest.Texture
	pngFile = wasmtest.PNG

	sameScores = wasmtest.SameScores
)

func TestMain(m *testing.M) { testsite.Main(m) }

// newSite serves the built site and opens a page that has loaded deepemd.js.
func newSite(t *testing.T) (*wasmtest.Site, *browsertest.Browser) {
	t.Helper()
	s := serve(t)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(s.URL + "/test/")
	b.WaitFor("window.loaded")
	return s, b
}

// taughtNatively returns a learner with the same classes as the page's function taught.
func taughtNatively(t *testing.T, weights []byte, choice method.Embedder) *learner.Learner {
	t.Helper()
	e := require.Value(learner.OpenWith(weights, learner.Options{Method: method.Method{Embedder: choice, Balance: true}.Complete()}))(t)
	for i, id := range []string{"a", "b"} {
		require.NoError(t, e.AddClass(id, id))
		require.Value(e.AddExample(id, id, learner.Picture{Data: pngFile(t, texture(i))}))(t)
	}
	return e
}
