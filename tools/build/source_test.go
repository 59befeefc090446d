package main

import (
	"bytes"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/require"
)

// Modules import the same files in the source as in the site: no generated ones.
func TestImportsResolveInTheSource(t *testing.T) {
	root := require.Value(moduleRoot())(t)
	s := &folder{root: root}
	check := func(name string, o api.BuildOptions) {
		o.Format = api.FormatESModule
		if _, err := s.esbuild(name, o); err != nil {
			t.Error(err)
		}
	}
	modules := 0
	for _, folder := range []string{npm, "web"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, filepath.FromSlash(folder)), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() == "testdata" {
				return fs.SkipDir // web/internal/tests/packages tests bundlers
			}
			if err != nil || entry.IsDir() {
				if _, err := os.Stat(filepath.Join(path, "package.json")); err == nil && path != filepath.Join(root, filepath.FromSlash(npm)) {
					return fs.SkipDir
				}
				return err
			}
			switch filepath.Ext(path) {
			case ".js":
				modules++
				check(path, api.BuildOptions{EntryPoints: []string{path}, External: given(path)})
			case ".html":
				for _, script := range moduleScripts(t, path) {
					modules++
					check(path, api.BuildOptions{Stdin: &api.StdinOptions{Contents: script, ResolveDir: filepath.Dir(path), Sourcefile: path}, External: given(path)})
				}
			}
			return nil
		}))
	}
	if modules == 0 {
		t.Errorf("no modules: are they elsewhere now?")
	}
}

// given returns the modules that npm or the runtime provides to a script.
func given(path string) []string {
	name := filepath.Base(path)
	switch {
	case strings.HasPrefix(name, "node"), name == "esbuild.js":
		return []string{"node:*"}
	case strings.Contains(filepath.ToSlash(path), "web/examples/"):
		return []string{"onnxruntime-web", "@huggingface/transformers"}
	}
	return nil
}

// moduleTag matches a module of a page: its address, or its text.
var moduleTag = regexp.MustCompile(`(?s)<script type="module"(?: src="([^"]+)")?>(.*?)</script>`)

// moduleScripts returns the inline and the imported modules of a page.
func moduleScripts(t *testing.T, path string) (scripts []string) {
	t.Helper()
	page := require.Value(os.ReadFile(path))(t)
	for _, found := range moduleTag.FindAllStringSubmatch(string(page), -1) {
		if script := found[2]; found[1] == "" {
			scripts = append(scripts, script)
		} else {
			scripts = append(scripts, `import "`+filepath.ToSlash(filepath.Join(filepath.Dir(path), found[1]))+`"`)
		}
	}
	return scripts
}

// The same code gives the same files in whatever folder it is built.
func TestBuildIsTheSameInAnyFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the site is built twice")
	}
	root := require.Value(moduleRoot())(t)
	sums := map[string][]string{}
	for _, name := range []string{"a", "another folder"} {
		s := &folder{root: filepath.Join(t.TempDir(), name)}
		s.out = filepath.Join(s.root, "build", "site")
		copySource(t, root, s.root)
		require.NoError(t, s.site())
		for file, product := range map[string]string{"NOTICE.txt": ofSite, "deepemd/NOTICE.txt": ofNPM} {
			want := require.Value(s.notice(product))(t)
			if got, err := os.ReadFile(filepath.Join(s.out, file)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of the site is not the notice of the %s: %v", file, product, err)
			}
		}
		require.NoError(t, filepath.WalkDir(s.out, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			rel := strings.TrimPrefix(path, s.out)
			sum := sha256.Sum256(data)
			sums[rel] = append(sums[rel], string(sum[:]))
			return err
		}))
	}
	for name, both := range sums {
		if len(both) != 2 || both[0] != both[1] {
			t.Errorf("%s differs", name)
		}
	}
	if len(sums) == 0 {
		t.Error("no files")
	}
}

// copySource copies the source of the site.
func copySource(t *testing.T, root, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch entry.Name() {
			case ".git", "build", "testdata", "node_modules":
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return atomicfile.Replace(filepath.Join(to, rel), data)
	}))
}
