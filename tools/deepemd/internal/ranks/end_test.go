//go:build unix

package ranks

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/training"
)

// pretrain is a run of 8 epochs of 10 steps.
func pretrain(folder, out string) []string {
	return []string{"train", "pretrain", "--data", folder, "--out", out, "--set", "widths=[8,8,16,16]", "--set", `precision="float32"`,
		"--set", "stages=[{epochs=8,size=16,batch=12}]", "--set", "average=0.9", "--set", "threads=1"}
}

// TestEnds: a run of two processes of which one is killed ends, and one that is told to stop
// saves; both go on with --resume to the weights of a run that was left alone.
func TestEnds(t *testing.T) {
	needed(t)
	folder := pictures(t)
	whole := filepath.Join(t.TempDir(), "run")
	run(t, mpirun, command(t), pretrain(folder, whole)...)
	want := require.Value(os.ReadFile(filepath.Join(whole, training.LastFile)))(t)
	for name, end := range map[string]func(t *testing.T, cmd *exec.Cmd){
		"one is killed": func(t *testing.T, cmd *exec.Cmd) {
			if err := syscall.Kill(rank(t, cmd.Process.Pid, 1), syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		},
		"all are told to stop": func(t *testing.T, cmd *exec.Cmd) {
			if err := cmd.Process.Signal(syscall.SIGUSR1); err != nil { // which mpirun hands on
				t.Error(err)
			}
		},
		"the second is told to stop": func(t *testing.T, cmd *exec.Cmd) {
			if err := syscall.Kill(rank(t, cmd.Process.Pid, 1), syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := mpirun(ctx, command(t), pretrain(folder, out)...)
			var printed bytes.Buffer
			cmd.Stdout, cmd.Stderr = &printed, &printed
			require.NoError(t, cmd.Start())
			waitFor(ctx, t, filepath.Join(out, training.CheckpointFile))
			end(t, cmd)
			if err := cmd.Wait(); err == nil || ctx.Err() != nil {
				t.Fatalf("the run ends with %v\n%s", err, &printed)
			}
			resumed := []string{"train", "pretrain", "--resume", "--out", out}
			run(t, mpirun, command(t), resumed...)
			got := require.Value(os.ReadFile(filepath.Join(out, training.LastFile)))(t)
			if !bytes.Equal(got, want) {
				t.Error("the run that goes on trains other weights")
			}
		})
	}
}

// waitFor returns when a file is there.
func waitFor(ctx context.Context, t *testing.T, path string) {
	t.Helper()
	for ctx.Err() == nil {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no %s", path)
}

// rank is the process of a rank that mpirun has started.
func rank(t *testing.T, mpirun, number int) int {
	t.Helper()
	folders := require.Value(filepath.Glob("/proc/[0-9]*"))(t)
	for _, folder := range folders {
		status, err := os.ReadFile(filepath.Join(folder, "status"))
		if err != nil || !strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", mpirun)) {
			continue
		}
		environment, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err != nil {
			continue
		}
		variables := bufio.NewScanner(strings.NewReader(strings.ReplaceAll(string(environment), "\x00", "\n")))
		for variables.Scan() {
			if variables.Text() == fmt.Sprintf("OMPI_COMM_WORLD_RANK=%d", number) {
				pid := require.Value(strconv.Atoi(filepath.Base(folder)))(t)
				return pid
			}
		}
	}
	t.Fatalf("mpirun has no rank %d", number)
	return 0
}
