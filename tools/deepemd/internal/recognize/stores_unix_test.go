//go:build unix

package recognize

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestGuideOfPostgreSQL runs the commands of the guide for PostgreSQL with pgvector, and compares the
// results with a search.
func TestGuideOfPostgreSQL(t *testing.T) {
	server := postgres(t)
	guide := require.Value(os.ReadFile("../../../../web/docs/search.md"))(t)
	script := commands(t, string(guide), "PostgreSQL with pgvector")
	program := require.Value(testsite.Command())(t)
	bin := filepath.Dir(program)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "photos"), os.DirFS(cmdtest.Pictures(t, 8))))
	cmdtest.Picture(t, filepath.Join(dir, "query.jpg"), 2, 3)
	shell := func(script string) string {
		t.Helper()
		run := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
		run.Dir = dir
		// Debian's Python comes first: it is the one for which Debian has NumPy.
		run.Env = append(os.Environ(), "PATH="+bin+":/usr/bin:"+os.Getenv("PATH"), "PGHOST="+server, "PGUSER=postgres", "PGDATABASE=postgres")
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	printed := shell(script)
	alone := shell("deepemd search photos.index query.jpg")
	_, table, ok := strings.Cut(printed, "QUERY ")
	if !ok || !strings.Contains(table, "the 24 of --candidates ranked by DeepEMD") {
		t.Fatalf("the guide's commands print\n%s", printed)
	}
	if got, want := ranks(table), ranks(alone); len(got) != 10 || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("by PostgreSQL\n%s\nby a search alone\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// commands returns the lines that a section of a guide indents.
func commands(t *testing.T, guide, section string) string {
	t.Helper()
	_, text, ok := strings.Cut(guide, "\n## "+section+"\n")
	if !ok {
		t.Fatalf("the guide has no section %s", section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var lines []string
	for line := range strings.Lines(text) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			lines = append(lines, code)
		}
	}
	return strings.Join(lines, "")
}

// ranks returns a table's rank, image, class, score and cosine.
func ranks(table string) (rows []string) {
	for line := range strings.Lines(table) {
		if i := strings.Index(line, ".png"); i > 0 {
			fields := strings.Fields(strings.TrimPrefix(line, "query.jpg"))
			rows = append(rows, strings.Join(fields[:5], " "))
		}
	}
	return rows
}

// postgres starts a server with pgvector and returns the folder of its socket. The test is
// skipped where either is missing.
func postgres(t *testing.T) string {
	t.Helper()
	config, err := exec.Command("pg_config", "--bindir", "--sharedir").Output()
	if err != nil {
		t.Skipf("no PostgreSQL to start (Debian: postgresql, libpq-dev): %v", err)
	}
	bin, share, _ := strings.Cut(strings.TrimSpace(string(config)), "\n")
	if _, err := os.Stat(filepath.Join(share, "extension", "vector.control")); err != nil {
		t.Skipf("PostgreSQL has no pgvector (Debian: postgresql-NN-pgvector, or make install of its source): %v", err)
	}
	if err := exec.Command("/usr/bin/env", "PATH=/usr/bin", "python3", "-c", "import numpy").Run(); err != nil {
		t.Skipf("no NumPy (Debian: python3-numpy): %v", err)
	}
	dir, err := os.MkdirTemp("", "pg") // a socket's path has to be short
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	as := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 { // whom it refuses to work for
		account, err := user.Lookup("postgres")
		if err != nil {
			t.Skipf("root starts PostgreSQL as the user postgres: %v", err)
		}
		uid, _ := strconv.Atoi(account.Uid)
		gid, _ := strconv.Atoi(account.Gid)
		require.NoError(t, os.Chown(dir, uid, gid))
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	run := func(program string, args ...string) error {
		command := exec.Command(filepath.Join(bin, program), args...)
		command.Dir, command.SysProcAttr = dir, as
		return command.Run()
	}
	data := filepath.Join(dir, "data")
	if err := run("initdb", "-D", data, "-A", "trust", "-E", "UTF8", "-U", "postgres"); err != nil {
		t.Fatalf("initdb: %v", err)
	}
	if err := run("pg_ctl", "-D", data, "-l", filepath.Join(dir, "log"), "-o", "-k "+dir+" -c listen_addresses=", "-w", "start"); err != nil {
		t.Fatalf("pg_ctl start: %v", err)
	}
	t.Cleanup(func() {
		if err := run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"); err != nil {
			t.Errorf("pg_ctl stop: %v", err)
		}
	})
	return dir
}
