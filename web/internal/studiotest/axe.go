//go:build !js

package studiotest

import (
	"fmt"
	"os"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// axeScript is the path where make axe installs axe-core.
const axeScript = "../../../../build/axe/node_modules/axe-core/axe.min.js"

// Axe fails the test if axe-core reports serious or critical violations on the whole page, or any
// within an element. It skips a subtest if axe-core is not installed.
func (s *Studio) Axe(state, within string) {
	s.T.Helper()
	script, err := os.ReadFile(axeScript)
	if err != nil {
		s.T.Run("axe", func(t *testing.T) { t.Skip("axe-core is not installed: make axe installs it, with npm") })
		return
	}
	if !s.Is("globalThis.axe") {
		browsertest.Eval[any](s.Browser, string(script)+"; undefined")
	}
	s.Calm()
	root, counts := "document", `["serious", "critical"]`
	if within != "" {
		root, counts = fmt.Sprintf("%q", within), `["minor", "moderate", "serious", "critical"]`
	}
	for _, violation := range browsertest.Eval[[]string](s.Browser, fmt.Sprintf(`axe.run(%s, { resultTypes: ["violations"] }).then(({ violations }) =>
		violations.filter((v) => %s.includes(v.impact)).flatMap((v) =>
			v.nodes.map((n) => v.impact + ": " + v.id + " (" + v.help + "): " + n.html.slice(0, 200) + " " + (n.any[0]?.message ?? ""))))`, root, counts)) {
		s.T.Errorf("the page %s: %s", state, violation)
	}
}
