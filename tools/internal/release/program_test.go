package release

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/module"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/require"
)

const (
	example  = "core/learner/example_test.go"
	pictures = "web/static/web/demo" // inputs of the example
)

// TestExampleRunsElsewhere serves this module from a file-system proxy to a new module
// outside the checkout, whose program is the example of package learner, which
// web/docs/embed.md links to. It builds and runs there with only the files that go get downloads.
func TestExampleRunsElsewhere(t *testing.T) {
	proxy, elsewhere := t.TempDir(), t.TempDir()
	serve(t, proxy)
	writeFile(t, filepath.Join(elsewhere, "go.mod"), "module example.org/elsewhere\n\ngo "+goVersion(t)+"\n")
	writeFile(t, filepath.Join(elsewhere, "main.go"), strings.NewReplacer(
		"package learner_test", "package main", "func Example()", "func main()", "../../"+pictures, ".",
	).Replace(string(read(t, example))))
	want := ""
	for _, class := range []string{"apple", "banana", "cat", "orange"} {
		for number := range 4 {
			name := fmt.Sprintf("%s-%d.jpg", class, 1+number)
			writeFile(t, filepath.Join(elsewhere, name), string(read(t, pictures+"/"+name)))
		}
		want += class + "-4.jpg " + class + "\n"
	}

	run := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = elsewhere
		cmd.Env = append(os.Environ(), "GOMODCACHE="+filepath.Join(proxy, "cache"), "GOFLAGS=-mod=mod -modcacherw",
			"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(downloads(t)),
			"GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=", "GOWORK=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
		}
		return string(out)
	}
	run("get", modulePath+"/core/learner@v"+core.Version)
	if got := run("run", "."); got != want {
		t.Errorf("the example prints %q, want %q", got, want)
	}
}

// serve writes this module into a folder as a module proxy serves it.
func serve(t *testing.T, proxy string) {
	t.Helper()
	zipped := pack(t)
	escaped := require.Value(module.EscapePath(modulePath))(t)
	v := "v" + core.Version
	base := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	writeFile(t, filepath.Join(base, "list"), v+"\n")
	writeFile(t, filepath.Join(base, v+".info"), `{"Version":"`+v+`"}`)
	writeFile(t, filepath.Join(base, v+".mod"), string(read(t, "go.mod")))
	writeFile(t, filepath.Join(base, v+".zip"), string(zipped))
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
}

// downloads returns the folder of the module cache that is laid out as a proxy,
// with what this module depends on.
func downloads(t *testing.T) string {
	t.Helper()
	out := require.Value(exec.Command("go", "env", "GOMODCACHE").Output())(t)
	return filepath.Join(strings.TrimSpace(string(out)), "cache", "download")
}

// goVersion returns the version in this module's go.mod.
func goVersion(t *testing.T) string {
	t.Helper()
	match := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(read(t, "go.mod"))
	if match == nil {
		t.Fatal("go.mod names no version of Go")
	}
	return string(match[1])
}
