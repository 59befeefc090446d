package serve

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// asCommand has the test's own program run serve with its arguments instead of tests: a
// process that can be sent signals.
const asCommand = "DEEPEMD_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		os.Exit(m.Run())
	}
	command := newServeCommand()
	command.SetArgs(os.Args[1:])
	if err := command.Execute(); err != nil {
		os.Exit(1)
	}
}

// process is a running serve.
type process struct {
	*exec.Cmd
	address string
	notes   bytes.Buffer // standard error, complete after the end
}

// start runs serve on a site with one large download.
func start(t *testing.T, flags ...string) *process {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows sends processes no signals")
	}
	dir := t.TempDir()
	cmdtest.WriteText(t, filepath.Join(dir, "index.html"), "<p>studio")
	cmdtest.WriteText(t, filepath.Join(dir, "large"), strings.Repeat("x", largeBytes))
	program := require.Value(os.Executable())(t)
	p := &process{Cmd: exec.Command(program, append([]string{"--addr", "127.0.0.1", "--port", "0", "--dir", dir}, flags...)...)}
	p.Env = append(os.Environ(), asCommand+"=1")
	p.Stderr = &p.notes
	out := require.Value(p.StdoutPipe())(t)
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	line := require.Value(bufio.NewReader(out).ReadString('\n'))(t)
	p.address, _, _ = strings.Cut(strings.TrimPrefix(line, "The studio is at "), " ")
	return p
}

const largeBytes = 48 << 20 // more than buffers hold

// begin starts the download.
func (p *process) begin(t *testing.T) *http.Response {
	t.Helper()
	r := require.Value(http.Get(p.address + "/large"))(t)
	t.Cleanup(func() { r.Body.Close() })
	require.Value(io.ReadFull(r.Body, make([]byte, 1)))(t)
	return r
}

// closed waits until the server takes no more connections.
func (p *process) closed(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		conn, err := net.Dial("tcp", strings.Replace(strings.TrimPrefix(p.address, "http://"), "localhost", "127.0.0.1", 1))
		if err != nil {
			return
		}
		conn.Close()
		if time.Now().After(deadline) {
			t.Fatal("the server still takes connections")
		}
	}
}

// Ctrl+C and SIGTERM let a download under way come to its end.
func TestSignalsFinishDownloads(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			p := start(t)
			r := p.begin(t)
			require.NoError(t, p.Process.Signal(signal))
			p.closed(t)
			if n, err := io.Copy(io.Discard, r.Body); err != nil || n != largeBytes-1 {
				t.Errorf("%d bytes and %v, want %d", n, err, largeBytes-1)
			}
			if err := p.Wait(); err != nil || !strings.Contains(p.notes.String(), "up to 30s more") {
				t.Errorf("error %v, notes %q", err, &p.notes)
			}
		})
	}
}

// Downloads are cut off after --grace, and a second Ctrl+C ends the server at once.
func TestStopsInTime(t *testing.T) {
	t.Run("grace", func(t *testing.T) {
		p := start(t, "--grace", "100ms")
		r := p.begin(t)
		require.NoError(t, p.Process.Signal(syscall.SIGTERM))
		if err := p.Wait(); err != nil || !strings.Contains(p.notes.String(), "cut off") {
			t.Errorf("error %v, notes %q", err, &p.notes)
		}
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			t.Error("the download came to its end")
		}
	})
	t.Run("twice", func(t *testing.T) {
		p := start(t)
		p.begin(t)
		require.NoError(t, p.Process.Signal(os.Interrupt))
		p.closed(t)
		require.NoError(t, p.Process.Signal(os.Interrupt))
		if err := p.Wait(); err == nil {
			t.Error("no error, want an end by the signal")
		}
	})
}

// A name that was not given gets 421.
func TestServeAnswersToItsNames(t *testing.T) {
	p := start(t, "--host", "studio.example.org,b.example.org")
	for host, status := range map[string]int{"evil.example": 421, "studio.example.org": 200, "b.example.org": 200} {
		r := require.Value(http.NewRequest("GET", p.address, nil))(t)
		r.Host = host
		answer := require.Value(http.DefaultClient.Do(r))(t)
		answer.Body.Close()
		if answer.StatusCode != status {
			t.Errorf("host %s: status %d, want %d", host, answer.StatusCode, status)
		}
	}
}
