package wasmopt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// build builds testdata/program, for WebAssembly or for the machine.
func build(t testing.TB, env ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./testdata/program")
	cmd.Env = append(os.Environ(), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	program := require.Value(os.ReadFile(path))(t)
	return program
}

// write writes a program into a file.
func write(t testing.TB, program []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(path, program, 0o755))
	return path
}

// run runs a program until it ends in a panic.
func run(t testing.TB, cmd *exec.Cmd) (out, trace string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Fatalf("%v, want the exit of a panic\n%s%s", err, &stdout, &stderr)
	}
	return stdout.String(), stderr.String()
}

// node returns the command that runs a program in Node, as Go does for tests.
func node(t testing.TB, path string, args ...string) *exec.Cmd {
	t.Helper()
	root := require.Value(exec.Command("go", "env", "GOROOT").Output())(t)
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	cmd := exec.Command("node", append([]string{"--stack-size=8192", script, path}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")} // Go's script rejects environments of more than 12 kB
	return cmd
}

// An optimized program says in Node what it says natively, and its trace has no lines.
func TestOptimizedProgramDoesTheSame(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here to run programs in")
	}
	want, _ := run(t, exec.Command(write(t, build(t))))
	if !strings.Contains(want, "a method's value recovers 5") || strings.Contains(want, "must not") {
		t.Errorf("the program does not do what it is for:\n%s", want)
	}
	whole := build(t, "GOOS=js", "GOARCH=wasm")
	for _, lines := range []bool{true, false} {
		program := require.Value(Optimize(whole, Options{Lines: lines}))(t)
		got, trace := run(t, node(t, write(t, program)))
		if got != want {
			t.Errorf("lines %v: the program says\n%s\nnatively\n%s", lines, got, want)
		}
		const why = "panic: runtime error: index out of range [100] with length 100"
		if !strings.Contains(trace, why) || !strings.Contains(trace, "main.main()") {
			t.Errorf("lines %v: the trace has no %q, or does not name main.main:\n%s", lines, why, trace)
		}
		if strings.Contains(trace, ".go") != lines {
			t.Errorf("lines %v: the trace is\n%s", lines, trace)
		}
	}
}

// Few jumps still go by the table, the program given stays, and a second pass finds nothing to do.
func TestOptimizeOnce(t *testing.T) {
	whole := build(t, "GOOS=js", "GOARCH=wasm")
	before := bytes.Clone(whole)
	program := require.Value(Optimize(whole, Options{}))(t)
	if !bytes.Equal(whole, before) {
		t.Error("the module given was changed")
	}
	was, left := tableJumps(t, whole), tableJumps(t, program)
	t.Logf("of %d jumps %d go by the table, %d bytes became %d", was, left, len(whole), len(program))
	if left > was/4 {
		t.Errorf("of %d jumps %d still go by the table", was, left)
	}
	if again, err := Optimize(program, Options{}); err != nil || !bytes.Equal(again, program) {
		t.Errorf("optimized twice it differs (%v)", err)
	}
}

// Without lines only data change, with them only code.
func TestDropLinesLeavesCode(t *testing.T) {
	whole := require.Value(split(build(t, "GOOS=js", "GOARCH=wasm")))(t)
	shrunk := slices.Clone(whole)
	require.NoError(t, dropLines(shrunk))
	for i, s := range whole {
		if same := bytes.Equal(s.content, shrunk[i].content); same == (s.kind == dataSection) {
			t.Errorf("section %d of kind %d: the same: %v", i, s.kind, same)
		}
	}
}

// BenchmarkScaling times in Node how an image is scaled down, with jumps as Go's linker makes
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
	program := require.Value(os.ReadFile(linked))(b)
	program = require.Value(Optimize(program, Options{Lines: true}))(b)
	straight := filepath.Join(b.TempDir(), "straight.wasm")
	require.NoError(b, os.WriteFile(straight, program, 0o644))
	for _, form := range []struct{ name, path string }{{"linked", linked}, {"straight", straight}} {
		b.Run(form.name, func(b *testing.B) {
			var times []float64
			for b.Loop() {
				out, err := node(b, form.path, "-test.run=-", "-test.bench=Resize/640x480", "-test.benchtime=200x").CombinedOutput()
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
	sections := require.Value(split(program))(t)
	for _, s := range sections {
		if s.kind != codeSection {
			continue
		}
		bodies := require.Value(functionBodies(s.content))(t)
		for _, body := range bodies {
			instructions := require.Value(decode(body))(t)
			for i, in := range instructions[1:] {
				if in.op == opBr && bytes.Equal(instructions[i].bytes, []byte{opLocalSet, 0}) {
					jumps++
				}
			}
		}
	}
	return jumps
}
