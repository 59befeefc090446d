package bombs

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

type failures struct {
	testing.TB
	said []string
}

func (f *failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

var kept [][]byte

// Inputs over the budget fail, others do not.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		take int
		want string
	}{{1 << 10, ""}, {4 << 20, "an input of 10 bytes allocates "}} {
		var f failures
		Budget(&f, 1<<20, 100, 10, func() { kept = append(kept[:0], make([]byte, c.take)) })
		if got := strings.Join(f.said, "; "); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d bytes: %q, want %q", c.take, got, c.want)
		}
	}
}

// What is far beyond its budget is said before it ends.
func TestVerdict(t *testing.T) {
	begin := time.Now()
	r := &running{since: begin, before: 100, most: 1 << 20, size: 7}
	for _, c := range []struct {
		passed time.Duration
		took   uint64
		want   string
	}{
		{Longest(), 2 << 20, ""},
		{time.Hour, 0, "an input of 7 bytes has not ended after 1h0m0s"},
		{0, 2 << 30, "an input of 7 bytes has allocated 2147483648 bytes and goes on, more than 1048576"},
	} {
		if got := r.verdict(begin.Add(c.passed), 100+c.took); got != c.want {
			t.Errorf("after %v and %d bytes: %q, want %q", c.passed, c.took, got, c.want)
		}
	}
}

// An input that allocates for ever ends the program, with its reason.
func TestWithoutEnd(t *testing.T) {
	if os.Getenv("DEEPEMD_WITHOUT_END") != "" {
		Budget(t, 1<<10, 1, 1, func() {
			for {
				kept = append(kept[:0], make([]byte, 1<<20))
			}
		})
	}
	program := require.Value(os.Executable())(t)
	cmd := exec.Command(program, "-test.run", "^TestWithoutEnd$")
	cmd.Env = append(os.Environ(), "DEEPEMD_WITHOUT_END=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "panic: an input of 1 bytes has ") {
		t.Errorf("it ends with %v and says %.300s", err, out)
	}
}
