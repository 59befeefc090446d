package evaluate

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestNumbersOutOfBounds: no number is so large that it ends in a panic.
func TestNumbersOutOfBounds(t *testing.T) {
	dir, net, out := cmdtest.Pictures(t, 4), cmdtest.Weights(t, nil), filepath.Join(t.TempDir(), "out")
	const huge, largest = "9000000000000000000", "9223372036854775807"
	eval := []string{"eval", "--data", dir, "--weights", net, "--way", "2"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{append(eval, "--episodes", huge), "--episodes " + huge + ": want 1000000 at most; the names of their pictures alone would take more than 1000 TB"},
		{append(eval, "--episodes", "1000001", "--query", "1"), "--episodes 1000001: want 1000000 at most; the names of their pictures alone would take 64 MB"},
		{append(eval, "--episodes", "2", "--query", largest), "an episode takes 9223372036854775808"},
		{append(eval, "--episodes", "2", "--shot", largest, "--query", largest), "an episode takes 18446744073709551614"},
		{append(eval, "--episodes", "2", "--query", "1", "--way", huge), "want at most as many ways"},
		{append(eval, "--episodes", "2", "--query", "1", "--size", "100000"), "--size 100000"},
		{append(eval, "--episodes", "2", "--query", "1", "--resize", huge), "--resize " + huge},
		{[]string{"reproduce", "table1", "--data", dir, "--weights", net, "--out", out, "--episodes", huge}, "--episodes " + huge + ": want 1000000 at most"},
		{[]string{"reproduce", "kshot", "--data", dir, "--weights", net, "--out", out, "--shot-episodes", huge}, "--shot-episodes " + huge + ": want 1000000 at most"},
	} {
		if _, err := cmdtest.Run(c.args...); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "internal error") {
			t.Errorf("%v: error %v, want one that says %q", c.args[5:], err, c.want)
		}
	}
}
