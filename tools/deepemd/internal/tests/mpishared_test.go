//go:build unix

package tests

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/training"
)

// seconds matches the times, which differ between runs of a command.
var seconds = regexp.MustCompile(`[0-9.]+ s\b|"(embedSeconds|matchSeconds|millisecondsPerQuery|millisecondsToLearn)": [0-9.e-]+`)

// durations matches the cells of a table that differ between runs, the last two of a row.
var durations = regexp.MustCompile(`(?m)( [0-9.]+ \|){2}$`)

// TestMPIShared: several processes print and write the same as a single process.
func TestMPIShared(t *testing.T) {
	needed(t)
	folder, _ := things(t, 6, 20)
	net := cmdtest.Weights(t, nil)
	for name, c := range map[string]struct {
		args  []string
		files []string
	}{
		"eval":           {[]string{"eval", "--data", folder, "--weights", net, "--episodes", "30", "--way", "3", "--query", "5", "--seed", "2", "--logits", "l.npy", "--json"}, []string{"l.npy"}},
		"eval --unknown": {[]string{"eval", "--data", folder, "--weights", net, "--episodes", "20", "--way", "3", "--shot", "3", "--query", "5", "--unknown", "--json"}, nil},
		"features":       {[]string{"features", "--data", folder, "--weights", net, "--out", "f.npy"}, []string{"f.npy", "f.json"}},
		"index":          {[]string{"index", folder, "--weights", net, "--out", "p.index"}, []string{"p.index"}},
		"reproduce": {[]string{"reproduce", "table2", "--data", folder, "--weights", net, "--episodes", "10", "--query", "5", "--out", "report", "--cache", "cache"},
			[]string{"report/table2.md"}},
	} {
		var printed []string
		var files [][]byte
		for _, start := range []func(dir string) string{
			func(dir string) string { return run(t, in(dir, exec.CommandContext), plain(t), c.args...) },
			func(dir string) string { return run(t, in(dir, mpirun), withMPI(t), c.args...) },
		} {
			dir := t.TempDir()
			printed = append(printed, seconds.ReplaceAllString(start(dir), ""))
			var all []byte
			for _, file := range c.files {
				raw, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				all = append(all, raw...)
			}
			files = append(files, all)
		}
		if printed[0] != printed[1] {
			t.Errorf("%s: two processes print\n%s\none prints\n%s", name, printed[1], printed[0])
		}
		if name == "reproduce" { // its times differ
			files[0], files[1] = durations.ReplaceAll(files[0], nil), durations.ReplaceAll(files[1], nil)
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: two processes write other files than one", name)
		}
	}
}

// pretrain returns a run of 8 epochs of 10 steps.
func pretrain(folder, out string) []string {
	return []string{"train", "pretrain", "--device", "cpu", "--data", folder, "--out", out, "--set", "widths=[8,8,16,16]", "--set", `precision="float32"`,
		"--set", "stages=[{epochs=8,size=16,batch=12}]", "--set", "average=0.9", "--set", "threads=1"}
}

// TestMPIEnds: a run of two processes ends if one of them is killed, and saves if one is stopped. Both
// continue with --resume and get the weights of an uninterrupted run.
func TestMPIEnds(t *testing.T) {
	needed(t)
	folder, _ := things(t, 6, 20)
	whole := filepath.Join(t.TempDir(), "run")
	run(t, mpirun, withMPI(t), pretrain(folder, whole)...)
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
			cmd := mpirun(ctx, withMPI(t), pretrain(folder, out)...)
			var printed bytes.Buffer
			cmd.Stdout, cmd.Stderr = &printed, &printed
			require.NoError(t, cmd.Start())
			waitFor(ctx, t, filepath.Join(out, training.CheckpointFile))
			end(t, cmd)
			if err := cmd.Wait(); err == nil || ctx.Err() != nil {
				t.Fatalf("the run ends with %v\n%s", err, &printed)
			}
			resumed := []string{"train", "pretrain", "--resume", "--out", out}
			run(t, mpirun, withMPI(t), resumed...)
			got := require.Value(os.ReadFile(filepath.Join(out, training.LastFile)))(t)
			if !bytes.Equal(got, want) {
				t.Error("the run that goes on trains other weights")
			}
		})
	}
}

// waitFor waits until a file exists.
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

// rank returns the process of a rank that mpirun has started.
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
		if strings.Contains("\x00"+string(environment), fmt.Sprintf("\x00OMPI_COMM_WORLD_RANK=%d\x00", number)) {
			return require.Value(strconv.Atoi(filepath.Base(folder)))(t)
		}
	}
	t.Fatalf("mpirun has no rank %d", number)
	return 0
}
