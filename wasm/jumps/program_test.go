package jumps

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/wasm/module"
)

// build builds testdata/program, for WebAssembly or for the machine.
func build(t *testing.T, env ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./testdata/program")
	cmd.Env = append(os.Environ(), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return path
}

// A program with straight jumps says in Node what it says natively, and hardly a jump goes by
// the table.
func TestStraightProgramDoesTheSame(t *testing.T) {
	whole, err := os.ReadFile(build(t, "GOOS=js", "GOARCH=wasm"))
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(whole)
	program, err := Straighten(whole)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole, before) {
		t.Error("the module given was changed")
	}
	was, left := tableJumps(t, whole), tableJumps(t, program)
	t.Logf("of %d jumps %d go by the table, %d bytes became %d", was, left, len(whole), len(program))
	if left > was/4 {
		t.Errorf("of %d jumps %d still go by the table", was, left)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here to run programs in")
	}
	want, err := exec.Command(build(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(path, program, 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	got, err := exec.Command("node", "--stack-size=8192", script, path).CombinedOutput()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: the program says\n%s\nnatively\n%s", err, got, want)
	}
}

// tableJumps counts the jumps that note a number for the table.
func tableJumps(t *testing.T, program []byte) (jumps int) {
	t.Helper()
	sections, err := module.Split(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		if s.Kind != module.Code {
			continue
		}
		bodies, err := module.Bodies(s.Content)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range bodies {
			instructions, err := decode(body)
			if err != nil {
				t.Fatal(err)
			}
			for i, in := range instructions[1:] {
				if in.op == opBr && bytes.Equal(instructions[i].bytes, []byte{opLocalSet, 0}) {
					jumps++
				}
			}
		}
	}
	return jumps
}
