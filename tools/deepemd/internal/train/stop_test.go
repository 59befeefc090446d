package train

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/training"
)

// TestTermination has the system ask a run to end, as it does when a machine shuts
// down: it saves like one that is stopped at the keyboard.
func TestTermination(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 4), filepath.Join(t.TempDir(), "run")
	ended := make(chan error)
	go func() {
		_, err := cmdtest.Run("train", "pretrain", "--data", dir, "--out", out, "--set", "widths=[4,4,4,4]",
			"--set", "stages=[{epochs=100000,size=16,batch=4}]")
		ended <- err
	}()
	for {
		if _, err := os.Stat(filepath.Join(out, training.LogFile)); err == nil {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended before its log was there: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	itself := require.Value(os.FindProcess(os.Getpid()))(t)
	if err := itself.Signal(syscall.SIGTERM); err != nil {
		t.Skip("this system asks nobody to end:", err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "stopped at step") || !strings.Contains(err.Error(), "--resume") {
		t.Errorf("asked to end it says %v", err)
	}
	if !training.CanResume(out) {
		t.Error("no checkpoint was saved")
	}
	if _, err := os.Stat(filepath.Join(out, atomicfile.LockFile)); err == nil {
		t.Error("the lock is left")
	}
}

// TestOneRunInAFolder refuses a second run, new or continued, and leaves the first
// one's files alone.
func TestOneRunInAFolder(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 4), t.TempDir()
	first := require.Value(atomicfile.HoldFolder(out))(t)
	args := [][]string{
		{"pretrain", "--data", dir, "--out", out}, {"pretrain", "--resume", "--out", out},
		{"meta", "--data", dir, "--out", out, "--init", cmdtest.Weights(t, nil)},
	}
	for _, a := range args {
		_, err := cmdtest.Run(append([]string{"train"}, a...)...)
		if err == nil || !strings.Contains(err.Error(), "--out: "+out+" is being written by process ") {
			t.Errorf("%v: error %v", a[:2], err)
		}
	}
	if entries, _ := os.ReadDir(out); len(entries) != 1 {
		t.Errorf("the folder has %v, want the lock alone", entries)
	}
	if err := first.Release(); err != nil {
		t.Error(err)
	}
}

// TestOneClass says where training has nothing to tell apart.
func TestOneClass(t *testing.T) {
	dir := cmdtest.Pictures(t, 4)
	for i, want := range []bool{false, false, true} {
		said, err := cmdtest.Run("train", "pretrain", "--data", dir, "--out", filepath.Join(t.TempDir(), "run"), "--set", "widths=[4,4,4,4]",
			"--set", "stages=[{epochs=1,size=16,batch=4}]")
		if err != nil || strings.Contains(said, "only one class") != want {
			t.Errorf("of %d classes: %v\n%s", 3-i, err, said)
		}
		require.NoError(t, os.RemoveAll(filepath.Join(dir, cmdtest.ClassNames[i])))
	}
}
