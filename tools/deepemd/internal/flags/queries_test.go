package flags

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// TestAskStopped: Ctrl+C keeps the answers so far, and says how many queries have none.
func TestAskStopped(t *testing.T) {
	const all = 10000
	q, answered := &Queries{Paths: make([]string, all)}, 0
	err := new(Unreadable).Ask(io.Discard, q, func(string) error {
		if answered++; answered == 3 {
			if err := require.Value(os.FindProcess(os.Getpid()))(t).Signal(os.Interrupt); err != nil {
				t.Skip("no signals here:", err)
			}
		}
		time.Sleep(time.Millisecond) // the signal takes a moment
		return nil
	})
	if lost := q.Lost(); err != nil || answered < 3 || answered == all || lost == nil || !strings.Contains(lost.Error(), "of 10000 queries are not answered") {
		t.Errorf("%d answered, error %v, then %v", answered, err, lost)
	}
}
