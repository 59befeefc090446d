package job

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A run that goes on finds its teacher's features; another teacher or other pictures
// have a file of their own.
func TestKeptFeatures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	teacher := filepath.Join(t.TempDir(), "teacher.safetensors")
	name := func(weights string, names ...string) kept {
		if err := os.WriteFile(teacher, []byte(weights), 0o600); err != nil {
			t.Fatal(err)
		}
		k, err := keptFeatures(dir, teacher, names)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	k := name("one", "a", "b")
	if _, err := k.read(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("before anything is kept: %v", err)
	}
	want := [][]float64{{0.25, -1, 0}, {0.5, 2, 8}}
	if err := k.write(want); err != nil {
		t.Fatal(err)
	}
	if got, err := name("one", "a", "b").read(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	for _, other := range []kept{name("two", "a", "b"), name("one", "ab"), name("one", "b", "a")} {
		if other == k {
			t.Errorf("%s is of another teacher or other pictures", other)
		}
	}
	if err := os.WriteFile(string(k), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.read(); err == nil || !strings.Contains(err.Error(), "delete it") {
		t.Errorf("of a damaged file: %v", err)
	}
	nowhere, err := keptFeatures("", teacher, nil)
	if err != nil || nowhere.write(want) != nil {
		t.Errorf("without a folder: %v", err)
	}
}
