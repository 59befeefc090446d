package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/require"
)

// TestPackages checks that the packages are complete and have no other files.
func TestPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the engines are built")
	}
	root := require.Value(moduleRoot())(t)
	s := &folder{root: root, out: filepath.Join(t.TempDir(), "npm")}
	require.NoError(t, s.packages())

	t.Run("files", func(t *testing.T) {
		want := []string{
			"deepemd/LICENSE", "deepemd/NOTICE.txt", "deepemd/README.md", "deepemd/package.json", "deepemd/wasm_exec.LICENSE.txt",
			"deepemd/deepemd.wasm", "deepemd/deepemd-sound.wasm", "deepemd/deepemd-gallery.wasm", "deepemd/deepemd-solver.wasm",
			"deepemd/cdn/deepemd.js", "deepemd/cdn/element.js", "deepemd/cdn/project.js", "deepemd/cdn/gallery.js", "deepemd/cdn/solver.js",
		}
		for _, name := range []string{network.ResNet12Photo, network.ResNet12Sound} {
			for _, file := range []string{"LICENSE", "README.md", "package.json", "index.js", "index.d.ts", name + ".safetensors"} {
				want = append(want, name+"/"+file)
			}
		}
		source := require.Value(os.ReadDir(s.source("")))(t)
		for _, file := range source {
			if hasEnding(file.Name(), []string{".js", ".ts"}) {
				want = append(want, "deepemd/"+file.Name())
			}
		}
		var got []string
		require.NoError(t, filepath.WalkDir(s.out, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(s.out, file)
			if name = filepath.ToSlash(name); !strings.HasPrefix(name, "deepemd/cdn/shared-") {
				got = append(got, name)
			}
			return err
		}))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("files\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})

	for _, name := range []string{"deepemd", network.ResNet12Photo, network.ResNet12Sound} {
		t.Run(name, func(t *testing.T) { checkPackage(t, filepath.Join(s.out, name)) })
	}

	t.Run("addresses", func(t *testing.T) {
		addresses := map[string]int{}
		require.NoError(t, filepath.WalkDir(s.out, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".js" {
				return err
			}
			name, err := filepath.Rel(s.out, file)
			if err == nil {
				name = filepath.ToSlash(name)
				addresses[path.Dir(name)] += checkAddresses(t, s.out, name)
			}
			return err
		}))
		for folder, least := range map[string]int{"deepemd": 3, "deepemd/cdn": 5, network.ResNet12Photo: 1, network.ResNet12Sound: 1} {
			if n := addresses[folder]; n < least {
				t.Errorf("%s names %d files by their addresses, want %d at least", folder, n, least)
			}
		}
	})
}

// checkPackage checks one folder: the name, version and exports in package.json, and that modules
// import only existing files and dependencies.
func checkPackage(t *testing.T, dir string) {
	text := require.Value(os.ReadFile(filepath.Join(dir, "package.json")))(t)
	var m struct {
		Name, Version, License string
		Private                bool
		Exports                map[string]any
		Dependencies           map[string]string
	}
	require.NoError(t, json.Unmarshal(text, &m))
	if m.Version != core.Version || m.Private || m.License != "MIT" {
		t.Errorf("version %q, private %v, license %q", m.Version, m.Private, m.License)
	}
	for name, wanted := range m.Dependencies {
		if wanted != core.Version {
			t.Errorf("it depends on %s at %q, want exactly %s", name, wanted, core.Version)
		}
	}
	exported := func(target string) {
		if _, err := os.Stat(filepath.Join(dir, target)); err != nil {
			t.Errorf("exports: %v", err)
		}
		if path.Ext(target) != ".js" {
			return
		}
		o := api.BuildOptions{EntryPoints: []string{filepath.Join(dir, target)}, External: given(target), Bundle: true, Format: api.FormatESModule, LogLevel: api.LogLevelSilent}
		for name := range m.Dependencies {
			o.External = append(o.External, name)
		}
		if err := failures(target, api.Build(o).Errors); err != nil {
			t.Error(err)
		}
	}
	for _, target := range m.Exports {
		switch target := target.(type) {
		case string:
			exported(target)
		case map[string]any:
			for _, file := range target {
				exported(file.(string))
			}
		}
	}
	if len(m.Exports) < 2 {
		t.Errorf("%d exports", len(m.Exports))
	}
}

// address matches the addresses in a module, with the number of bytes if it follows.
var address = regexp.MustCompile(`new URL\("([^"]+)", ?import\.meta\.url\)(?:;? ?\},? ?bytes: ?([\de]+))?`)

// checkAddresses checks that what a module names by its address is in one of the
// packages, at the address that it has where a server gives them out, and as long as it
// says. It returns how many it names.
func checkAddresses(t *testing.T, out, module string) int {
	text := require.Value(os.ReadFile(filepath.Join(out, filepath.FromSlash(module))))(t)
	served := strings.NewReplacer("@deepemd/", "", "@"+core.Version, "")
	all := address.FindAllSubmatch(text, -1)
	for _, found := range all {
		name := served.Replace(path.Join(path.Dir(module), string(found[1])))
		info, err := os.Stat(filepath.Join(out, filepath.FromSlash(name)))
		if err != nil {
			t.Errorf("%s names %s: %v", module, found[1], err)
		} else if n := string(found[2]); n != "" && require.Value(strconv.ParseFloat(n, 64))(t) != float64(info.Size()) { // esbuild writes 3218e3
			t.Errorf("%s says that %s has %s bytes: it has %d", module, found[1], n, info.Size())
		}
	}
	return len(all)
}
