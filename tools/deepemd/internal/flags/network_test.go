package flags

import (
	"strings"
	"testing"
)

// TestNormalization rejects invalid values, naming the flag instead of the weights.
func TestNormalization(t *testing.T) {
	for _, c := range []struct{ mean, std, want string }{
		{"0.5,0.4,0.3", "0.2,0.2,0.2", ""}, {"1,0,0", "1,1,1", ""}, {"", "", ""},
		{"128,128,128", "", "--mean 128,128,128: want numbers from 0 to 1: divide numbers for pixels of 0 to 255 by 255"},
		{"", "60,60,60", "--std 60,60,60: want numbers above 0, up to 1: divide"}, {"-0.1,0,0", "", "--mean"},
		{"", "nan,nan,nan", "--std NaN,NaN,NaN: want"}, {"", "1,NaN,1", "--std"}, {"", "1,inf,1", "--std"},
		{"", "0,1,1", "--std"}, {"", "-1,1,1", "--std"}, {"", "1,1", "--std 1,1"},
		{"nan,0,0", "", "--mean NaN,0,0: want"}, {"0,-inf,0", "", "--mean"}, {"x,0,0", "", "--mean x,0,0"},
	} {
		mean, std, err := Normalization(c.mean, c.std)
		switch {
		case c.want == "" && (err != nil || (mean == nil) != (c.mean == "") || (std == nil) != (c.std == "")):
			t.Errorf("mean %q, std %q: %v, %v, error %v", c.mean, c.std, mean, std, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("mean %q, std %q: error %v, want %q", c.mean, c.std, err, c.want)
		}
	}
}
