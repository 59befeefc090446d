//go:build !js

package studio_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A feature of one folder and one list entry appears on the page.
func TestATemplateFeatureAppears(t *testing.T) {
	template := require.Value(os.ReadFile("testdata/template/template.go"))(t)
	program := filepath.Join(t.TempDir(), "app.wasm")
	run(t, []string{"GOOS=js", "GOARCH=wasm"}, "build", overlay(t, func(list string) string {
		list = strings.Replace(list, `feature/why"`, `feature/why"`+"\n"+`"github.com/deepemd/deepemd/web/internal/feature/template"`, 1)
		return strings.Replace(list, "\twhy.Add,\n", "\twhy.Add,\n\ttemplate.Add,\n", 1)
	}, map[string]string{"template/template.go": string(template)}), "-o", program, "./web/studio")

	site := studiotest.Site(t)
	s := &studio{studiotest.OpenSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/web/app.wasm" {
			http.ServeFile(w, r, program)
		} else {
			site.ServeHTTP(w, r)
		}
	}), browsertest.Options{})}
	s.Ready()
	s.WaitCount("#template", 1)
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.WaitFor(`document.querySelector("#template").innerText === "1"`)
	s.Quiet()
}

// Without a feature's folder and entry, the studio builds, and the tests of the kernel and the page
// pass.
func TestFeaturesCanBeRemoved(t *testing.T) {
	for _, name := range []string{"capture", "growth", "network"} {
		t.Run(name, func(t *testing.T) {
			files := require.Value(filepath.Glob(filepath.Join(features, name, "*")))(t)
			removed := map[string]string{}
			for _, file := range files {
				removed[name+"/"+filepath.Base(file)] = ""
			}
			flag := overlay(t, func(list string) string {
				list = strings.Replace(list, "\t"+`"github.com/deepemd/deepemd/web/internal/feature/`+name+"\"\n", "", 1)
				return strings.Replace(list, "\t"+name+".Add,\n", "", 1)
			}, removed)
			run(t, []string{"GOOS=js", "GOARCH=wasm"}, "vet", flag, "./web/studio")
			run(t, nil, "test", flag, "./web/internal/kernel", "./web/internal/view", "./web/site")
		})
	}
}

// features is the folder of the features.
const features = "../../feature"

// overlay returns a flag that makes go read another list of features and other files in their
// folders; an empty content removes a file.
func overlay(t *testing.T, change func(list string) string, files map[string]string) string {
	t.Helper()
	list := string(require.Value(os.ReadFile(filepath.Join(features, "feature.go")))(t))
	changed := change(list)
	if changed == list {
		t.Fatal("the list of features stays as it is")
	}
	files["feature.go"] = changed
	temp, replace := t.TempDir(), map[string]string{}
	for name, content := range files {
		path := require.Value(filepath.Abs(filepath.Join(features, name)))(t)
		if replace[path] = ""; content != "" {
			replace[path] = filepath.Join(temp, strings.ReplaceAll(name, "/", "-"))
			require.NoError(t, os.WriteFile(replace[path], []byte(content), 0o600))
		}
	}
	name := filepath.Join(temp, "overlay.json")
	text := require.Value(json.Marshal(map[string]any{"Replace": replace}))(t)
	require.NoError(t, os.WriteFile(name, text, 0o600))
	return "-overlay=" + name
}

// run runs go in the module's root, with environment variables.
func run(t *testing.T, env []string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = "../../../..", append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
