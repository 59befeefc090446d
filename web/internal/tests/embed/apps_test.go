//go:build !js

package embed_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

const testdata = "testdata"

// Every project that installs the packages answers correctly for the camera.
func TestApps(t *testing.T) {
	need(t)
	apps := must[[]os.DirEntry](t)(os.ReadDir(filepath.Join(testdata, "apps")))
	for _, app := range apps {
		t.Run(app.Name(), func(t *testing.T) {
			dir := project(t, app.Name())
			var manifest struct{ Scripts struct{ Build, Dev string } }
			require.NoError(t, json.Unmarshal(must[[]byte](t)(os.ReadFile(filepath.Join(dir, "package.json"))), &manifest))
			if manifest.Scripts.Dev != "" {
				check(t, develop(t, dir), dir)
			}
			if manifest.Scripts.Build != "" {
				checkBuilt(t, dir)
			}
		})
	}
}

// checkBuilt builds a project and opens the result on a plain server and, unless the project has
// its own questions, under the policies of the manual. Files that the build expects at $ASSETS are
// on another origin.
func checkBuilt(t *testing.T, dir string) {
	t.Helper()
	dist := filepath.Join(dir, "dist")
	assets := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		http.FileServer(http.Dir(dist)).ServeHTTP(w, r)
	}))
	t.Cleanup(assets.Close)
	t.Setenv("ASSETS", assets.URL)
	require.Value(npm(dir, "run", "build"))(t)
	page := must[[]byte](t)(os.ReadFile(filepath.Join(dist, "index.html")))
	own, other, trusted := policies(t)
	policy := own + trusted
	if bytes.Contains(page, []byte(assets.URL)) {
		policy = strings.ReplaceAll(other, "https://cdn.example", assets.URL) + trusted
	}
	for _, script := range inline.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(script[1])
		policy = strings.Replace(policy, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, strict := r.URL.Query()["strict"]; strict {
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(icon.ReplaceAll(page, nil))
			return
		}
		http.FileServer(http.Dir(dist)).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	check(t, server.URL, dir)
	if _, err := os.Stat(filepath.Join(testdata, "apps", strings.Split(filepath.Base(dir), "-test-")[0], "check.js")); errors.Is(err, fs.ErrNotExist) {
		check(t, server.URL+"?strict", dir, "favicon.ico")
	}
}

// inline matches inline scripts.
var inline = regexp.MustCompile(`<script[^>]*>([^<]+)</script>`)

// icon matches the page's icon.
var icon = regexp.MustCompile(`<link[^>]*rel="?icon[^>]*>`)

// project creates a project with the packages installed, below the tools.
func project(t *testing.T, name string) string {
	t.Helper()
	files := must[[]string](t)(tarballs())
	dir := must[string](t)(os.MkdirTemp(must[string](t)(tools()), name+"-test-"))
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, from := range []string{"common", filepath.Join("apps", name)} {
		require.NoError(t, copyOver(dir, filepath.Join(testdata, from)))
	}
	require.Value(npm(dir, append([]string{"install", "--offline"}, files...)...))(t)
	return dir
}

// copyOver copies files and replaces existing ones.
func copyOver(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}

// develop runs a project's server until the test ends, and returns its address.
func develop(t *testing.T, dir string) string {
	t.Helper()
	listener := must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	cmd := exec.Command("npm", "run", "dev")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // npm starts child processes
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		cmd.Wait()
	})
	url := fmt.Sprintf("http://localhost:%d", port)
	browsertest.Until(t, "the server answers at "+url, func() bool {
		answer, err := http.Get(url)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	})
	return url
}

// check opens a page and runs the project's check.js in it. It fails on unexpected problems.
func check(t *testing.T, url, dir string, expected ...string) {
	t.Helper()
	b := browsertest.Start(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	ask(t, b, url, string(must[[]byte](t)(os.ReadFile(filepath.Join(dir, "check.js")))))
	b.NoProblems(expected...)
}

// ask opens a page and calls a function in it, which returns the faults.
func ask(t *testing.T, b *browsertest.Browser, url, function string) {
	t.Helper()
	b.Open(url)
	b.WaitFor(`document.readyState === "complete"`)
	for _, wrong := range browsertest.Eval[[]string](b, "("+trimmed(function)+")()") {
		t.Error(wrong)
	}
}

// trimmed returns a function without the trailing semicolon of its file.
func trimmed(function string) string {
	return strings.TrimSuffix(strings.TrimSpace(function), ";")
}
