package conformance_test

import (
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/tools/deepemd/internal/conformance"
)

// Every suite of the command and every comparison in it, with a few episodes and
// queries of each setting: the whole of them, which `deepemd conformance` compares,
// takes minutes.
func TestConformance(t *testing.T) {
	shared := filepath.Dir(filepath.Dir(golden.Path(t, "reference/reference.json")))
	opt := conformance.Options{Episodes: 2, Queries: 15}
	for _, suite := range conformance.Suites(shared) {
		t.Run(suite.Name, func(t *testing.T) {
			if err := suite.Missing(); err != nil {
				t.Skip(err)
			}
			compared := 0
			err := suite.Run(t.Context(), opt, func(check conformance.Check) {
				compared++
				if check.Passed() {
					t.Log(check)
				} else {
					t.Error(check)
				}
			})
			if err != nil {
				t.Error(err)
			}
			if compared == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}
