package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The same source gives the same release in whatever folder: make dist-same. It takes as
// long as building everything twice.
func TestDistIsTheSameInAnyFolder(t *testing.T) {
	if os.Getenv("DEEPEMD_DIST") == "" {
		t.Skip("make dist-same runs this: everything is built twice")
	}
	var sums []string
	for _, name := range []string{"a", "another folder"} {
		folder := filepath.Join(t.TempDir(), name)
		copySource(t, folder)
		cmd := exec.Command("go", "run", "./tools/dist", "-draft")
		cmd.Dir = folder
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		data, err := os.ReadFile(filepath.Join(folder, "build", "dist", sumsName))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(data))
	}
	if n := strings.Count(sums[0], "\n"); n < 13 {
		t.Errorf("only %d files:\n%s", n, sums[0])
	}
	if sums[0] != sums[1] {
		t.Errorf("in one folder\n%s\nin another\n%s", sums[0], sums[1])
	}
	t.Logf("both times\n%s", sums[0])
}

// copySource copies what a release is made from: the working tree without what was built.
func copySource(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch {
			case rel == ".git", rel == "build", rel == "runs", d.Name() == "node_modules", d.Name() == "testdata":
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if rel == ".git" {
			return nil // of a worktree
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
