//go:build !js

package keep_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// A page that the browser keeps for the way back leaves its project to the next visit, and reloads
// when the user goes back to it.
func TestLeftPageReleasesItsProject(t *testing.T) {
	s := openReady(t, browsertest.Options{BackForwardCache: true})
	s.teach()
	s.IsKept()
	s.Open(s.Origin + "/docs/")
	s.Revisit()
	s.WaitCount(".thumbnail", 4)
	s.Name(1, "red ball")
	s.IsKept()

	s.Eval(`setTimeout(() => history.go(-2))`)
	s.WaitFor(`(() => {
		const { type, notRestoredReasons } = performance.getEntriesByType("navigation")[0];
		return (type === "reload" || notRestoredReasons) && document.querySelector("input.name")?.value === "red ball";
	})()`)
	s.WaitCount(".thumbnail", 4)
	s.Ready()
	if browsertest.Eval[bool](s.Browser, `performance.getEntriesByType("navigation")[0].type !== "reload"`) {
		t.Skip("for its own reasons, the browser did not keep the page")
	}
	s.Quiet()
}
