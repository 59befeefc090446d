package bombs

import (
	"fmt"
	"strings"
	"testing"
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
