package verb

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 classes", 1: "1 class", 2: "2 classes"} {
		if got := Count(n, "class", "classes"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMilliseconds(t *testing.T) {
	if got := Milliseconds(1_234_567 * time.Nanosecond); got != 1.234 {
		t.Errorf("%v, want 1.234", got)
	}
}

func TestFirstFive(t *testing.T) {
	for want, names := range map[string][]string{
		"a, b, c, d, e":            {"a", "b", "c", "d", "e"},
		"a, b, c, d, e and 2 more": {"a", "b", "c", "d", "e", "f", "g"},
	} {
		if got := FirstFive(names); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
