package tests

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// A command killed at any moment blocks nothing: it can continue to the same result, and no temporary
// file remains.
//
//	DEEPEMD_FAULTS=50 go test -count 1 -v -run TestKilled ./tools/deepemd/internal/tests
func TestKilled(t *testing.T) {
	for _, w := range all(t) {
		t.Run(w.name, func(t *testing.T) {
			took, want := w.alone(t)

			k := killer{t: t, work: w, moments: rand.New(rand.NewPCG(19, 4)), took: took, wanted: times(t, w.usual)}
			for k.kills < k.wanted {
				dir := filepath.Join(t.TempDir(), "killed")
				mkdir(t, dir)
				when := k.kill(dir)
				if when == "" {
					continue
				}
				works(t, w.next(dir)...)
				same(t, when, w.outcome(t, dir), want)
				w.onlyResults(t, when, dir)
				k.tidy(dir)
			}
			t.Logf("killed %d times in %.1f s of work, %d of them while it went on from another kill; %d half-written files were left and removed",
				k.kills, took.Seconds(), k.again, k.halves)
		})
	}
}

// killer kills work at random moments.
type killer struct {
	t       *testing.T
	work    work
	moments *rand.Rand
	took    time.Duration // by work that is left alone
	wanted  int           // so many kills

	kills, again, halves int
}

// kill runs the work and kills it, and every other time also its continuation. It returns the moment,
// or "" if the work ended first.
func (k *killer) kill(dir string) (when string) {
	k.t.Helper()
	for n := 0; n < 2 && k.kills < k.wanted; n++ {
		moment := time.Duration(k.moments.Float64() * float64(k.took))
		c := deepemd(k.t, k.work.next(dir)...)
		require.NoError(k.t, c.Start())
		time.Sleep(moment)
		_ = c.Process.Kill()
		err := c.Wait()
		if c.ProcessState.Exited() {
			if err != nil {
				k.t.Fatalf("%safter %v it ended by itself: %v\n%s", when, moment, err, &c.said)
			}
			return when
		}
		k.kills++
		k.again += n
		left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")) // the pattern is well formed
		k.halves += len(left)
		when += fmt.Sprintf("killed after %v, ", moment)
		if k.kills%2 == 0 {
			return when
		}
	}
	return when
}

// tidy removes the work, and checks that a shared folder has no permanent leftovers. Temporary files
// in it belong to a process for a day.
func (k *killer) tidy(dir string) {
	k.t.Helper()
	begun := func() []string {
		found, _ := filepath.Glob(filepath.Join(dir+".cache", "*", "*.tmp")) // the pattern is well formed
		return found
	}
	if left := begun(); len(left) > 0 {
		k.halves += len(left)
		yesterday := time.Now().Add(-25 * time.Hour)
		for _, path := range left {
			require.NoError(k.t, os.Chtimes(path, yesterday, yesterday))
		}
		works(k.t, append(k.work.start(dir), "--anew")...)
		if left := begun(); len(left) > 0 {
			k.t.Errorf("a day later the cache still has %v", left)
		}
	}
	for _, path := range []string{dir, dir + ".cache"} {
		require.NoError(k.t, os.RemoveAll(path))
	}
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.Mkdir(dir, 0o777))
}
