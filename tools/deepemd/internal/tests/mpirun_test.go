package tests

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience limits the time of a hanging run.
const patience = 5 * time.Minute

// needed skips a test where MPI is missing.
func needed(t *testing.T) {
	t.Helper()
	if os.Getenv("DEEPEMD_MPI") == "" {
		t.Skip("builds programs and starts processes: runs with DEEPEMD_MPI=1, in make test-all")
	}
	for _, program := range []string{"mpirun", "mpicc"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing: install Open MPI (apt-get install openmpi-bin libopenmpi-dev)", program)
		}
	}
}

// build has the programs that a test builds once, by name, in a folder that TestMain removes.
var build struct {
	sync.Mutex
	folder string
}

// built returns the path of a program that go makes with args.
func built(t *testing.T, name string, args ...string) string {
	t.Helper()
	build.Lock()
	defer build.Unlock()
	if build.folder == "" {
		var err error
		if build.folder, err = os.MkdirTemp("", "deepemd-mpi"); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(build.folder, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	verb, rest := args[0], args[1:]
	out, err := exec.Command("go", append([]string{verb, "-o", path}, rest...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return path
}

// withMPI builds deepemd with MPI, and plain without.
func withMPI(t *testing.T) string {
	return built(t, "deepemd-mpi", "build", "-tags", "mpi", "github.com/deepemd/deepemd/tools/deepemd")
}

func plain(t *testing.T) string {
	return built(t, "deepemd", "build", "github.com/deepemd/deepemd/tools/deepemd")
}

// mpirun starts two processes of a program.
func mpirun(ctx context.Context, program string, args ...string) *exec.Cmd {
	all := append([]string{"-np", "2", "--oversubscribe", "--bind-to", "none", program}, args...)
	cmd := exec.CommandContext(ctx, "mpirun", all...)
	// Open MPI asks who is root to mean it.
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	return cmd
}

// run runs a command line to its end and returns its standard output.
func run(t *testing.T, cmd func(context.Context, string, ...string) *exec.Cmd, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, problems bytes.Buffer
	c := cmd(ctx, program, args...)
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s%s", c.Args, err, &out, &problems)
	}
	return out.String()
}

// refused runs a command line that fails, and returns its output.
func refused(t *testing.T, cmd func(context.Context, string, ...string) *exec.Cmd, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := cmd(ctx, program, args...).CombinedOutput()
	if err == nil || ctx.Err() != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// TestMPIRefused: a program without MPI, and a verb that does not share its work, are not done
// twice.
func TestMPIRefused(t *testing.T) {
	needed(t)
	if out := refused(t, mpirun, plain(t), "version"); !strings.Contains(out, "built without MPI") || !strings.Contains(out, "make mpi") {
		t.Errorf("a program without MPI says\n%s", out)
	}
	if out := refused(t, mpirun, withMPI(t), "version"); !strings.Contains(out, "deepemd version does not share its work among the 2 processes") {
		t.Errorf("a verb that does not share its work says\n%s", out)
	}
	if out := refused(t, mpirun, withMPI(t), "train", "pretrain", "--data", "nowhere", "--out", t.TempDir()); !strings.Contains(out, "deepemd: ") || strings.Contains(out, "rank 1") {
		t.Errorf("what all ranks meet is said by the first one alone, got\n%s", out)
	}
	if out := run(t, exec.CommandContext, withMPI(t), "version"); !strings.HasPrefix(out, "deepemd ") {
		t.Errorf("without mpirun the program is one process, got %q", out)
	}
}

// TestMPIMethods: the methods of a group do under MPI what they do inside a process, and two
// processes take the steps of one.
func TestMPIMethods(t *testing.T) {
	needed(t)
	for name, test := range map[string]string{"internal/cluster": "TestRanks", "trainer/training": "TestProcessesFollowOne"} {
		program := built(t, strings.ReplaceAll(name, "/", "-")+".test", "test", "-c", "-tags", "mpi", "github.com/deepemd/deepemd/"+name)
		if out := run(t, mpirun, program, "-test.v", "-test.run", "^"+test+"$"); strings.Count(out, "--- PASS: "+test) != 2 {
			t.Errorf("%s: not both ranks pass\n%s", name, out)
		}
	}
}

// in has commands run in a folder.
func in(dir string, start func(context.Context, string, ...string) *exec.Cmd) func(context.Context, string, ...string) *exec.Cmd {
	return func(ctx context.Context, program string, args ...string) *exec.Cmd {
		cmd := start(ctx, program, args...)
		cmd.Dir = dir
		return cmd
	}
}
