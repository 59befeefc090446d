package why

import (
	"testing"
	"time"

	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// Explanations never exceed their share of the time, but happen at least once a second.
func TestWhereCostsNoMoreThanItsShare(t *testing.T) {
	for _, c := range []struct{ plain, useful, want time.Duration }{
		{30 * time.Millisecond, 31 * time.Millisecond, whereInterval},
		{30 * time.Millisecond, 40 * time.Millisecond, 200 * time.Millisecond},
		{30 * time.Millisecond, 20 * time.Millisecond, whereInterval},
		{30 * time.Millisecond, time.Second, whereLongest},
		{0, 40 * time.Millisecond, whereInterval}, // unknown
	} {
		w := New(kerneltest.New()).Where
		w.Show(true)
		for range 20 {
			w.recordDuration(c.plain, false)
			w.recordDuration(c.useful, true)
		}
		if got := w.interval(); got != c.want {
			t.Errorf("answers of %v, of %v with an explanation: one every %v, want every %v", c.plain, c.useful, got, c.want)
		}
	}
}
