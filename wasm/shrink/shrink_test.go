package shrink

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/wasm/module"
)

// program builds testdata/program for the browser.
func program(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./testdata/program")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// run runs a program in Node, as Go does for tests, until it ends in a panic.
func run(t *testing.T, data []byte) (out, said string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	node := exec.Command("node", "--stack-size=8192", script, path)
	var stdout, stderr bytes.Buffer
	node.Stdout, node.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := node.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Fatalf("%v, want the exit of a panic\n%s%s", err, &stdout, &stderr)
	}
	return stdout.String(), stderr.String()
}

func TestShrunkProgramDoesTheSame(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here to run programs in")
	}
	whole := program(t)
	shrunk, err := Shrink(whole)
	if err != nil {
		t.Fatal(err)
	}
	want, wantSaid := run(t, whole)
	got, gotSaid := run(t, shrunk)
	if got != want {
		t.Errorf("the shrunk program says\n%s\nthe whole one\n%s", got, want)
	}
	if !strings.Contains(want, "a method's value recovers 5") || strings.Contains(want, "must not") {
		t.Errorf("the program does not do what it is for:\n%s", want)
	}
	const why = "panic: runtime error: index out of range [100] with length 100"
	for _, said := range []string{wantSaid, gotSaid} {
		if !strings.Contains(said, why) || !strings.Contains(said, "main.main()") {
			t.Errorf("the trace has no %q, or does not name main.main:\n%s", why, said)
		}
	}
	if !strings.Contains(wantSaid, "main.go:") || strings.Contains(gotSaid, ".go") {
		t.Errorf("lines of the whole program: %q, of the shrunk one: %q", wantSaid, gotSaid)
	}
}

// Code stays; only data change.
func TestShrinkLeavesCode(t *testing.T) {
	whole := program(t)
	before := bytes.Clone(whole)
	shrunk, err := Shrink(whole)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole, before) {
		t.Error("the module given was changed")
	}
	a, err := module.Split(whole)
	if err != nil {
		t.Fatal(err)
	}
	b, err := module.Split(shrunk)
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != len(b) {
		t.Fatalf("%d sections, want %d", len(b), len(a))
	}
	for i := range a {
		if same := bytes.Equal(a[i].Content, b[i].Content); a[i].Kind != b[i].Kind || same == (a[i].Kind == module.Data) {
			t.Errorf("section %d of kind %d: the same: %v", i, a[i].Kind, same)
		}
	}
	memory, err := module.Memory(b)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Shrink(shrunk); err != nil || !bytes.Equal(again, shrunk) {
		t.Errorf("shrunk twice it differs (%v); %d bytes of memory", err, len(memory))
	}
}

func TestShrinkRefuses(t *testing.T) {
	whole := program(t)
	sections, err := module.Split(whole)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := module.Memory(sections)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(memory, tableHead)
	other := bytes.Clone(memory)
	other[at]++ // the magic number of another version
	longer := bytes.Clone(memory)
	longer[at+8]++ // a function more than there is
	for name, bad := range map[string][]byte{
		"no module":         []byte("MZ"),
		"an empty one":      whole[:8],
		"one cut short":     whole[:len(whole)/2],
		"another toolchain": module.Join(sections, other),
		"a wrong count":     module.Join(sections, longer),
	} {
		if _, err := Shrink(bad); err == nil || !strings.HasPrefix(err.Error(), "shrink: ") {
			t.Errorf("%s: %v, want an error", name, err)
		}
	}
}

// Bytes that are no program are an error, never a panic.
func FuzzTables(f *testing.F) {
	sections, err := module.Split(program(f))
	if err != nil {
		f.Fatal(err)
	}
	memory, err := module.Memory(sections)
	if err != nil {
		f.Fatal(err)
	}
	at := bytes.Index(memory, tableHead)
	f.Add(memory[at:at+4000], uint16(20), byte(1))
	f.Add(memory[at:], uint16(100), byte(0xff))
	f.Fuzz(func(t *testing.T, memory []byte, place uint16, value byte) {
		memory = bytes.Clone(memory)
		if int(place) < len(memory) {
			memory[place] = value
		}
		bombs.Budget(t, 4<<20, 64, len(memory), func() {
			if tables, err := find(memory); err == nil {
				if err := tables.forgetLines(); err != nil {
					t.Log(err)
				}
			}
		})
	})
}
