package tests

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestClockJumps sets the clock between two runs. Files with times in the future or long ago are
// continued. Files begun at such a time are removed, or kept if another process may still write them.
func TestClockJumps(t *testing.T) {
	tried, jumps := all(t), []time.Duration{-400 * 24 * time.Hour, 400 * 24 * time.Hour}
	if times(t, 1) == 1 { // training takes longer, and looks at no file's time
		tried, jumps = tried[1:], jumps[:1]
	}
	for _, w := range tried {
		t.Run(w.name, func(t *testing.T) {
			took, want := w.alone(t)
			for _, jump := range jumps {
				dir := filepath.Join(t.TempDir(), "work")
				mkdir(t, dir)
				c := deepemd(t, w.start(dir)...)
				require.NoError(t, c.Start())
				time.Sleep(took / 2)
				_ = c.Process.Kill()
				_ = c.Wait()
				half := filepath.Join(dir, w.results[0]+".0123abcd.tmp")
				cmdtest.WriteText(t, half, "begun")
				move(t, dir, jump)
				works(t, w.next(dir)...)
				same(t, jump.String(), w.outcome(t, dir), want)
				w.onlyResults(t, jump.String(), dir)

				// What is there is as good as before when the clock jumps again.
				move(t, dir, -jump)
				before := files(t, dir)
				works(t, w.next(dir)...)
				same(t, "again "+jump.String(), w.outcome(t, dir), want)
				if len(files(t, dir)) != len(before) {
					t.Errorf("%v: other files than before", jump)
				}
			}
		})
	}
}

// move has all files of a folder and of its cache say that they were written at another time.
func move(t *testing.T, dir string, jump time.Duration) {
	t.Helper()
	then := time.Now().Add(jump)
	for _, top := range []string{dir, dir + ".cache"} {
		require.NoError(t, filepath.Walk(top, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() {
				return nil // there need not be a cache
			}
			return os.Chtimes(path, then, then)
		}))
	}
}
