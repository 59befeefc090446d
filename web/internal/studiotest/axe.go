//go:build !js

package studiotest

import (
	"os"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// axeScript is the path where make axe installs axe-core.
const axeScript = "../../../../build/axe/node_modules/axe-core/axe.min.js"

// Axe fails the test if axe-core reports violations on the page, except of some rules. It skips a
// subtest if axe-core is not installed.
func (s *Studio) Axe(state string, except ...string) {
	s.T.Helper()
	script, err := os.ReadFile(axeScript)
	if err != nil {
		s.T.Run("axe", func(t *testing.T) { t.Skip("axe-core is not installed: make axe installs it, with npm") })
		return
	}
	if !s.Is("globalThis.axe") {
		s.Eval(string(script))
	}
	s.Calm()
	for _, violation := range browsertest.Eval[[]string](s.Browser, `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
		violations.filter((v) => !"`+strings.Join(except, " ")+`".includes(v.id)).flatMap((v) => v.nodes.map((n) => v.impact + ": " + v.id + " (" + v.help + "): " + n.html.slice(0, 200) + " " + (n.any[0]?.message ?? ""))))`) {
		s.T.Errorf("the page, %s: %s", state, violation)
	}
}
