package plural

import (
	"math"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 classes", 1: "1 class", 2: "2 classes"} {
		if got := Count(n, "class", "classes"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{1234: "1 kB", 12_340_000: "12 MB", 6_640_000_000: "6.6 GB", 6_640_000_000_000: "6.6 TB", math.Inf(1): "more than 1000 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%g bytes are %q, want %q", n, got, want)
		}
	}
}

func TestFirst(t *testing.T) {
	for want, names := range map[string][]string{
		"":                   nil,
		"a, b, c":            {"a", "b", "c"},
		"a, b, c and 2 more": {"a", "b", "c", "d", "e"},
	} {
		if got := First(names, 3); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
