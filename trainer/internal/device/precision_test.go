package device

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// TestPrecision: auto is bfloat16 on a card and on a machine with hardware for it, where float32 also
// remains possible. Errors name what to use.
func TestPrecision(t *testing.T) {
	_, fast := bfloat16.Fast()
	for name, want := range map[string]string{Auto: BFloat16, Float32: Float32, BFloat16: BFloat16, "half": ""} {
		card, err := Precision(name, true)
		if card != want || (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), "use auto, float32 or bfloat16") {
			t.Errorf("%s on a card: %q, %v", name, card, err)
		}
		remedy := "use auto, float32 or bfloat16"
		switch {
		case !fast && name == Auto:
			want = Float32
		case !fast && name == BFloat16:
			want, remedy = "", `use precision = "float32"`
		}
		got, err := Precision(name, false)
		if got != want || (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), remedy) {
			t.Errorf("%s on this machine: %q, %v", name, got, err)
		}
	}
}
