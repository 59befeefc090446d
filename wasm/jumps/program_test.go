package jumps

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	got, err := node(t, path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: the program says\n%s\nnatively\n%s", err, got, want)
	}
}

// node runs a program in Node, as Go does for tests.
func node(t testing.TB, path string, args ...string) ([]byte, error) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	return exec.Command("node", append([]string{"--stack-size=8192", script, path}, args...)...).CombinedOutput()
}

// BenchmarkScaling times in Node how a picture is scaled down, with jumps as Go's linker makes
// them and with straight ones: the benchmark of core/imaging.
func BenchmarkScaling(b *testing.B) {
	if _, err := exec.LookPath("node"); err != nil {
		b.Skip("no node here to run programs in")
	}
	linked := filepath.Join(b.TempDir(), "linked.wasm")
	cmd := exec.Command("go", "test", "-c", "-o", linked, "../../core/imaging")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
	program, err := os.ReadFile(linked)
	if err != nil {
		b.Fatal(err)
	}
	if program, err = Straighten(program); err != nil {
		b.Fatal(err)
	}
	straight := filepath.Join(b.TempDir(), "straight.wasm")
	if err := os.WriteFile(straight, program, 0o644); err != nil {
		b.Fatal(err)
	}
	for _, form := range []struct{ name, path string }{{"linked", linked}, {"straight", straight}} {
		b.Run(form.name, func(b *testing.B) {
			var times []float64
			for b.Loop() {
				out, err := node(b, form.path, "-test.run=-", "-test.bench=Resize/640x480", "-test.benchtime=200x")
				_, figures, ok := bytes.Cut(out, []byte("\t     200\t"))
				var nanoseconds float64
				if _, scan := fmt.Sscan(string(figures), &nanoseconds); err != nil || !ok || scan != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				times = append(times, nanoseconds/1e6)
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "ms/picture")
		})
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
