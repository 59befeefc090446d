package train

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestSettingsOutOfBounds refuses what no machine has room or time for, before any
// picture is read, and says what it would take.
func TestSettingsOutOfBounds(t *testing.T) {
	dir, out, net := cmdtest.Pictures(t, 4), filepath.Join(t.TempDir(), "out"), cmdtest.Weights(t, nil)
	const huge = "9000000000000000000"
	small := []string{"--set", "widths=[4,4,4,4]", "--set", "stages=[{epochs=1,size=16,batch=4}]"}
	for _, c := range []struct {
		kind, set string
		want      []string
	}{
		{"pretrain", "widths=[1000000,1000000,1000000,1000000]", []string{"widths [1000000 ", "8192", "TB of memory"}},
		{"pretrain", "widths=[" + huge + ",4,4,4]", []string{"widths [" + huge, "more than 1000 TB of memory"}},
		{"pretrain", "widths=[8192,8192,8192,8192]", []string{"widths [8192 ", "GB of memory"}},
		{"pretrain", "stages=[{epochs=1,size=100000,batch=4}]", []string{"pictures of 100000 pixels", "1024", "120.0 GB of memory"}},
		{"pretrain", "stages=[{epochs=1,size=" + huge + ",batch=4}]", []string{huge + " pixels", "more than 1000 TB of memory"}},
		{"pretrain", "stages=[{epochs=1,size=16,batch=" + huge + "}]", []string{"batch of " + huge, "more than 1000 TB of memory"}},
		{"pretrain", "stages=[{epochs=" + huge + ",size=16,batch=4}]", []string{huge + " epochs", "1000000 at most"}},
		{"pretrain", "max_side=" + huge, []string{"max_side", "65536"}},
		{"pretrain", "validation_episodes=" + huge, []string{"validation_episodes", "100000"}},
		{"pretrain", "warm_up=" + huge, []string{"warm_up"}},
		{"pretrain", "threads=" + huge, []string{"threads"}},
		{"pretrain", "seed=-1", []string{"seed is -1", "from 0"}}, // --resume could not read it
		{"pretrain", "std=[nan,1.0,1.0]", []string{"std [NaN 1 1]", "positive"}},
		{"pretrain", "mean=[nan,1.0,1.0]", []string{"mean [NaN 1 1]", "finite"}},
		{"meta", "way=" + huge, []string{"way"}},
		{"meta", "query=1000", []string{"way 1000 with query 1000", "1000000 at most"}},
		{"meta", "episodes=" + huge, []string{"episodes"}},
		{"meta", "pyramid=[" + huge + "]", []string{"pyramid level"}},
		{"meta", "grid=[100000]", []string{"100000×100000 cells"}},
		{"meta", "patches=" + huge, []string{"patches"}},
		{"meta", "stages=[{epochs=1,size=100000,batch=4}]", []string{"120.0 GB of memory"}},
	} {
		args := append([]string{"train", c.kind, "--data", dir, "--out", out}, "--set", c.set)
		switch {
		case c.kind == "pretrain":
			args = append(append([]string{"train", c.kind, "--data", dir, "--out", out}, small...), "--set", c.set)
		case strings.HasPrefix(c.set, "query"):
			args = append(args, "--init", net, "--set", "way=1000")
		case strings.HasPrefix(c.set, "grid"):
			args = append(args, "--init", net, "--set", `embedder="grid"`)
		case strings.HasPrefix(c.set, "patches"):
			args = append(args, "--init", net, "--set", `embedder="sampling"`)
		default:
			args = append(args, "--init", net)
		}
		_, err := cmdtest.Run(args...)
		if err == nil {
			t.Errorf("%s with %s gives no error", c.kind, c.set)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "internal error") {
				t.Errorf("%s with %s: error %v, want one that says %q", c.kind, c.set, err, want)
			}
		}
	}
}
