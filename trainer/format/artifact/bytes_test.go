package artifact

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{1234: "1 kB", 12_340_000: "12 MB", 6_640_000_000: "6.6 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}
