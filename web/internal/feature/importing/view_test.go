package importing

import (
	"testing"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

func TestTimeLeft(t *testing.T) {
	var p pace
	begin := time.Now()
	for _, c := range []struct {
		seconds, done, all int
		want               time.Duration
	}{
		{0, 10, 100, 0},
		{1, 20, 100, 0},
		{3, 40, 100, 6 * time.Second},
		{9, 100, 100, 0},
		{10, 100, 300, 0},
		{20, 200, 300, 10 * time.Second},
	} {
		if got := p.left(begin.Add(time.Duration(c.seconds)*time.Second), kernel.Progress{Done: c.done, All: c.all}); got != c.want {
			t.Errorf("after %d s, %d of %d: %v left, want %v", c.seconds, c.done, c.all, got, c.want)
		}
	}
}
