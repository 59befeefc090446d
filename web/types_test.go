package web

import (
	"os/exec"
	"testing"

	"github.com/deepemd/deepemd/internal/typescript"
)

// The page's scripts are right by their own types and those of the package that they
// import, as jsconfig.json has editors see them.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no TypeScript compiler is fetched")
	}
	if out, err := exec.Command(typescript.Compiler(t), "--project", "jsconfig.json").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
