package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file.txt")
	for _, content := range []string{"one", "two"} {
		if err := Replace(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		only(t, path, content)
	}
	yesterday := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	if err := os.Chtimes(path, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("two")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(yesterday) {
		t.Errorf("a file with the same content was written again: %v, %v", info.ModTime(), err)
	}
}
