package layering

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

const root = "../.."

// listed is the output of go list for a package.
type listed struct {
	ImportPath   string
	Name         string
	Doc          string
	GoFiles      []string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

// list runs go list for a platform, given as environment variables.
func list(t *testing.T, env []string, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,Doc,GoFiles,Imports,TestImports,XTestImports,Deps"}, args...)...)
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
		require.NoError(t, dec.Decode(&p))
		packages = append(packages, p)
	}
	return packages
}

var wasm = []string{"GOOS=js", "GOARCH=wasm"}

// everywhere lists the packages on this platform and in the browser.
func everywhere(t *testing.T) []listed {
	return append(list(t, nil, "-e", "./..."), list(t, wasm, "-e", "./...")...)
}

func TestDependenciesPointOneWay(t *testing.T) {
	var deps []dependency
	tests := 0
	for _, p := range everywhere(t) {
		for _, to := range p.Imports {
			deps = append(deps, dependency{from: p.ImportPath, to: to})
		}
		for _, to := range slices.Concat(p.TestImports, p.XTestImports) {
			deps = append(deps, dependency{from: p.ImportPath, to: to, test: true})
			tests++
		}
	}
	if len(deps) < 100 || tests < 100 {
		t.Fatalf("only %d imports found, %d of them by tests: is go list looking at the project?", len(deps), tests)
	}
	for _, v := range violations(deps) {
		t.Error(v)
	}
}

func TestViolationsAreFound(t *testing.T) {
	imports := func(from, to string) dependency { return dependency{from: Module + "/" + from, to: to} }
	tests := func(from, to string) dependency { return dependency{from: Module + "/" + from, to: to, test: true} }

	bad := []dependency{
		imports("solver", Module+"/internal/tensor"),
		imports("solver", "pgregory.net/rapid"),
		imports("core/embed", "os"),
		imports("core/embed", Module+"/trainer/data"),
		imports("core/embed", Module+"/internal/require"),
		imports("wasm", "net/http"),
		imports("web/studio", Module+"/wasm"),
		imports("internal/netfile", Module+"/trainer/training"),
		imports("trainer/evaluate", Module+"/trainer/internal/backbone"),
		imports("attic", "fmt"),
		imports("web/internal/kernel", Module+"/web/internal/feature/growth"),
		imports("web/internal/feature/growth", Module+"/web/internal/feature/trial"),
		tests("web/internal/feature/growth", Module+"/web/internal/feature/trial"),
		tests("core/imaging", Module+"/trainer/data"),
	}
	for _, d := range bad {
		if len(violations([]dependency{d})) != 1 {
			t.Errorf("%+v is not reported", d)
		}
	}

	good := []dependency{
		imports("web/internal/feature", Module+"/web/internal/feature/growth"),
		imports("core/embed", Module+"/solver"),
		imports("tools/deepemd", Module+"/internal/server"),
		imports("trainer/data", "os"),
		imports("trainer/training", Module+"/trainer/evaluate"),
		tests("core/embed", Module+"/internal/require"),
		tests("web", Module+"/wasm"),
	}
	if got := violations(good); len(got) != 0 {
		t.Errorf("allowed imports are reported: %q", got)
	}
}

// TestEveryPackageSaysWhatItIs checks that each package has a comment, and that the comment of each
// top-level folder lists its packages.
func TestEveryPackageSaysWhatItIs(t *testing.T) {
	comments := map[string]string{}
	for _, p := range everywhere(t) {
		if len(p.GoFiles) > 0 {
			comments[p.ImportPath] += p.Doc
		}
	}
	for path, comment := range comments {
		if !strings.HasPrefix(comment, "Package ") && !strings.HasPrefix(comment, "Command ") {
			t.Errorf("%s has no package comment", path)
		}
	}

	for _, room := range append(layers, "internal") {
		comment := docOf(t, comments, Module+"/"+room)
		for _, name := range children(slices.Collect(maps.Keys(comments)), Module+"/"+room) {
			if !regexp.MustCompile(`\b` + name + `\b`).MatchString(comment) {
				t.Errorf("the package comment of %s does not say what %s is", room, name)
			}
		}
	}
}

// TestFewPackagesCanBeImported limits the importable packages, which every change must keep
// compatible. Other packages are below a folder internal, or have only a package comment.
func TestFewPackagesCanBeImported(t *testing.T) {
	const most = 21
	open := map[string]bool{}
	for _, p := range everywhere(t) {
		if p.Name != "main" && len(p.GoFiles) > 0 && !slices.Equal(p.GoFiles, []string{"doc.go"}) && !strings.Contains(p.ImportPath+"/", "/internal/") {
			open[p.ImportPath] = true
		}
	}
	if len(open) > most {
		t.Errorf("%d packages can be imported, more than %d: move those that no other module needs below internal:\n%s",
			len(open), most, strings.Join(slices.Sorted(maps.Keys(open)), "\n"))
	}
}

// children returns the folders of a room with packages, and the subfolders of internal.
func children(packages []string, room string) []string {
	names := map[string]bool{}
	for _, p := range packages {
		below, ok := strings.CutPrefix(p, room+"/")
		if !ok {
			continue
		}
		name, deeper, inner := strings.Cut(below, "/")
		if name == "internal" {
			if !inner {
				continue // its comment describes the room
			}
			folder, _, _ := strings.Cut(deeper, "/")
			name += "/" + folder
		}
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// docOf returns the package comment of a room: its own, or that of its folder internal.
func docOf(t *testing.T, comments map[string]string, path string) string {
	t.Helper()
	if comments[path] == "" {
		path += "/internal"
	}
	cmd := exec.Command("go", "doc", path)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s has no package that says what is in this room: %s", path, out)
	}
	return string(out)
}

// TestBinariesStaySmall checks the packages that the two WebAssembly programs must not link: the
// engine for pictures has no server, page, archives and sound decoder, the studio no archives, and
// neither has the trainer's tensors. The studio has the names of the networks; its limit in tools/build
// leaves no room for their weights.
func TestBinariesStaySmall(t *testing.T) {
	cases := []struct {
		binary  string
		without []string
	}{
		{"./wasm/engine", []string{"gorgonia.org/tensor", "encoding/json", "net/http", "github.com/maxence-charriere/go-app/v9/pkg/app",
			"archive/zip", "crypto/sha256", Module + "/core/project", "github.com/hajimehoshi/go-mp3", Module + "/core/sound", Module + "/core/network"}},
		{"./web/studio", []string{"gorgonia.org/tensor", "archive/zip"}},
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

// TestFiles checks that only files named …_js.go import syscall/js, and limits the length of source
// files, except tests, and generated or copied files.
func TestFiles(t *testing.T) {
	const most = 400
	const copied = "wasm_exec.js"
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "build", "node_modules", "testdata"}, d.Name()) {
			return filepath.SkipDir
		}
		if !slices.Contains([]string{".go", ".js", ".css"}, filepath.Ext(path)) || d.Name() == copied {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		edge := strings.HasSuffix(path, "_js.go") || strings.HasSuffix(path, "_js_test.go")
		if !edge && regexp.MustCompile(`(?m)^(\t|import )"syscall/js"$`).Match(source) {
			t.Errorf("%s imports syscall/js: move it to a file named …_js.go", path)
		}
		if strings.HasSuffix(path, "_test.go") || bytes.Contains(source[:min(len(source), 200)], []byte("Code generated")) {
			return nil
		}
		if n := bytes.Count(source, []byte("\n")); n > most {
			t.Errorf("%s has %d lines, more than %d: divide it by ideas", path, n, most)
		}
		return nil
	}))
}
