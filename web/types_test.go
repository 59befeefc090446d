package web

import (
	"os/exec"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// The page's scripts are correct by their own types and the package's, as jsconfig.json declares.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no TypeScript compiler is fetched")
	}
	if out, err := exec.Command(nodetest.TypeScript(t), "--project", "jsconfig.json").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
