package layering

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// list runs go list for a platform, given as settings of the environment.
func list(t *testing.T, env []string, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, stderr.String())
	}
	var packages []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

var wasm = []string{"GOOS=js", "GOARCH=wasm"}

func TestDependenciesPointOneWay(t *testing.T) {
	var deps []dependency
	for _, env := range [][]string{nil, wasm} {
		for _, p := range list(t, env, "-e", "./...") {
			for _, to := range p.Imports {
				deps = append(deps, dependency{p.ImportPath, to})
			}
		}
	}
	if len(deps) < 100 {
		t.Fatalf("only %d imports found: is go list looking at the project?", len(deps))
	}
	for _, v := range violations(deps) {
		t.Error(v)
	}
}

func TestViolationsAreFound(t *testing.T) {
	bad := []dependency{
		{"github.com/deepemd/deepemd/solver", "github.com/deepemd/deepemd/core/tensor"},
		{"github.com/deepemd/deepemd/core/embed", "os"},
		{"github.com/deepemd/deepemd/core/embed", "github.com/deepemd/deepemd/trainer/data"},
		{"github.com/deepemd/deepemd/wasm", "net/http"},
		{"github.com/deepemd/deepemd/web/studio", "github.com/deepemd/deepemd/trainer"},
		{"github.com/deepemd/deepemd/attic", "fmt"},
	}
	if got := violations(bad); len(got) != len(bad) {
		t.Errorf("%d of %d violations found: %q", len(got), len(bad), got)
	}
	good := []dependency{{"github.com/deepemd/deepemd/core/embed", "github.com/deepemd/deepemd/solver"}, {"github.com/deepemd/deepemd/tools/deepemd", "github.com/deepemd/deepemd/web/server"}, {"github.com/deepemd/deepemd/trainer/data", "os"}}
	if got := violations(good); len(got) != 0 {
		t.Errorf("allowed imports are reported: %q", got)
	}
}

// TestBinariesStaySmall asserts what the two WebAssembly binaries do not link.
func TestBinariesStaySmall(t *testing.T) {
	cases := []struct {
		binary  string
		without []string
	}{
		{"./wasm/engine", []string{"net/http", "github.com/maxence-charriere/go-app/v9/pkg/app", "gorgonia.org/tensor", "github.com/deepemd/deepemd/core/network/resnet12s", "github.com/deepemd/deepemd/core/network/resnet12sound"}},
		{"./web/studio", []string{"gorgonia.org/tensor", "github.com/deepemd/deepemd/core/network/resnet12s", "github.com/deepemd/deepemd/core/network/resnet12sound"}},
	}
	for _, c := range cases {
		deps := list(t, wasm, c.binary)[0].Deps
		if len(deps) < 10 {
			t.Fatalf("%s has only %d dependencies", c.binary, len(deps))
		}
		linked := map[string]bool{}
		for _, d := range deps {
			linked[d] = true
		}
		for _, w := range c.without {
			if linked[w] {
				t.Errorf("%s links %s", c.binary, w)
			}
		}
	}
}

// TestJavaScriptStaysAtTheEdge asserts that only files named for it speak to
// the browser.
func TestJavaScriptStaysAtTheEdge(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "build" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_js.go") || strings.HasSuffix(path, "_js_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(source, []byte("\t\"syscall/js\"\n")) || bytes.Contains(source, []byte("import \"syscall/js\"\n")) {
			t.Errorf("%s imports syscall/js: move it to a file named …_js.go", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
