package verb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

// TestLines: without a terminal, lines show the progress and the remaining time, which ignores the
// work of an earlier run.
func TestLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		failed := errors.New("failed")
		err := ProgressOn(&out)("pictures indexed", func(show evaluate.Progress) error {
			show(1000, 10_000)
			for done := 1000; done < 10_000; done += 1500 {
				time.Sleep(7 * time.Second)
				show(done+1500, 10_000)
			}
			return failed
		})
		if !errors.Is(err, failed) {
			t.Errorf("error %v", err)
		}
		const want = "pictures indexed: 4000 of 10000, 28s left\npictures indexed: 7000 of 10000, 14s left\npictures indexed: 10000 of 10000\n"
		if out.String() != want {
			t.Errorf("printed\n%swant\n%s", out.String(), want)
		}
	})
}

// TestEach: lines show the progress of each item before it begins. The first error ends the work.
func TestEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		failed, n := errors.New("failed"), 0
		err := Each(&out, "queries answered", 10, func(above io.Writer, i int) error {
			if n++; i == 8 {
				return failed
			}
			time.Sleep(7 * time.Second)
			fmt.Fprintln(above, "left out:", i)
			return nil
		})
		if !errors.Is(err, failed) || n != 9 {
			t.Errorf("%d calls, error %v", n, err)
		}
		for _, want := range []string{"left out: 1\nqueries answered: 2 of 10, 56s left\nleft out: 2\n", "left out: 7\nqueries answered: 8 of 10, 14s left\n"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("want\n%sin\n%s", want, out.String())
			}
		}
	})
}

func TestPace(t *testing.T) {
	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	var p TimeEstimate
	for _, step := range []struct {
		after       time.Duration
		done, total int
		want        string
	}{
		{0, 50, 150, ""},
		{time.Second, 50, 150, ""},
		{10 * time.Second, 60, 150, ", 1m30s left"},
		{60 * time.Second, 100, 150, ", 1m0s left"},
		{100 * time.Second, 150, 150, ""},
		{101 * time.Second, 0, 20, ""},
		{102 * time.Second, 10, 20, ", 1s left"},
	} {
		if got := p.Text(start.Add(step.after), step.done, step.total); got != step.want {
			t.Errorf("%d of %d after %v: %q, want %q", step.done, step.total, step.after, got, step.want)
		}
	}
}

func TestMilliseconds(t *testing.T) {
	if got := Milliseconds(1_234_567 * time.Nanosecond); got != 1.234 {
		t.Errorf("%v, want 1.234", got)
	}
}
