package data

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{1234: "1 kB", 12_340_000: "12 MB", 6_640_000_000: "6.6 GB", 6_640_000_000_000: "6.6 TB", 1 << 62: "more than 1000 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}
