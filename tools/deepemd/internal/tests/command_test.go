package tests

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/convert"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/evaluate"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/recognize"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/serve"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/train"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

// asCommand has the test's own program be the command, a process that can be killed.
const asCommand = "DEEPEMD_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		code := m.Run()
		_ = os.RemoveAll(build.folder)
		os.Exit(code)
	}
	tellMemory()
	if err := verb.Execute(verb.Root(), os.Args[1:]); err != nil {
		verb.Report(os.Stderr, err)
		os.Exit(1)
	}
}

// command is a run of the command with its output.
type command struct {
	*exec.Cmd
	said bytes.Buffer
}

// deepemd returns a run with arguments, not yet started. It ends with the test.
func deepemd(t *testing.T, args ...string) *command {
	t.Helper()
	program := require.Value(os.Executable())(t)
	c := &command{Cmd: exec.CommandContext(t.Context(), program, args...)}
	c.Env = append(os.Environ(), asCommand+"=1")
	c.Stdout, c.Stderr = &c.said, &c.said
	return c
}

// works fails the test unless the command does.
func works(t *testing.T, args ...string) {
	t.Helper()
	c := deepemd(t, args...)
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &c.said)
	}
}

// times returns the number of tries: DEEPEMD_FAULTS, or usual.
func times(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("DEEPEMD_FAULTS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DEEPEMD_FAULTS is %q: want how often each fault is tried", text)
	}
	return n
}
