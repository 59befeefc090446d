package tests

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

const (
	clients   = 200
	samples   = 60
	tolerance = 0.05
)

// A server with 200 clients, slow and malformed ones among them, sends each the correct file. Its
// memory after a forced collection does not grow, and nothing remains after the clients disconnect.
// The usual test takes seconds;
//
//	DEEPEMD_SOAK=30 go test -count 1 -v -timeout 2h -run TestServerSoak ./tools/deepemd/internal/tests
func TestServerSoak(t *testing.T) {
	all, dir := 3*time.Second, smallSite(t)
	if text := os.Getenv("DEEPEMD_SOAK"); text != "" {
		minutes, err := strconv.ParseFloat(text, 64)
		if err != nil || !(minutes > 0) {
			t.Fatalf("DEEPEMD_SOAK is %q: want a number of minutes", text)
		}
		all = time.Duration(minutes * float64(time.Minute))
		if built := "../../../../build/site"; exists(built) {
			dir = built
		}
	}
	s := serve(t, dir)
	s.visit(t, "/")
	alone := s.memory(t)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	crowd := crowd{server: s, files: contents(t, dir)}
	var wait sync.WaitGroup
	for n := range clients {
		wait.Go(func() { crowd.client(ctx, rand.New(rand.NewPCG(19, uint64(n))), n) })
	}
	var held []memory
	begin := time.Now()
	for i := range samples {
		time.Sleep(time.Until(begin.Add(time.Duration(i+1) * all / samples)))
		m := s.memory(t)
		held = append(held, m)
		if all >= time.Minute {
			t.Logf("after %5.1f min: heap %.2f MB, process %.1f MB, %d goroutines, %d files and connections; %d requests",
				time.Since(begin).Minutes(), m.heap, m.process, m.goroutines, m.open, crowd.requests.Load())
		}
	}
	stop()
	wait.Wait()
	for _, trouble := range crowd.troubles {
		t.Error(trouble)
	}
	early, late := mean(held[samples/6:samples/2]), mean(held[2*samples/3:])
	after := s.settled(t, alone)
	t.Logf("%d clients for %v: %d requests, %d downloads broken off, %d rude ones; %d wrong answers; heap %.2f MB, later %.2f MB (%+.1f%%); process %.1f MB, later %.1f MB; alone %.2f MB, after all %.2f MB",
		clients, all, crowd.requests.Load(), crowd.broken.Load(), crowd.rude.Load(), len(crowd.troubles),
		early.heap, late.heap, 100*(late.heap/early.heap-1), early.process, late.process, alone.heap, after.heap)
	if all >= time.Minute && late.heap > early.heap*(1+tolerance) {
		t.Errorf("the heap grew from %.2f MB to %.2f MB, want at most %.0f%%", early.heap, late.heap, 100*tolerance)
	}
	if err := s.end(); err != nil {
		t.Errorf("asked to end: %v\n%s", err, &s.notes)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// smallSite returns a site of pages and one download.
func smallSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmdtest.WriteText(t, filepath.Join(dir, "index.html"), "<!doctype html><title>studio</title><script>let a = 1;</script>")
	for i := range 20 {
		cmdtest.WriteText(t, filepath.Join(dir, fmt.Sprintf("script%d.js", i)), strings.Repeat("let a = 1;\n", 100*i))
	}
	cmdtest.WriteText(t, filepath.Join(dir, "large.bin"), strings.Repeat("0123456789abcdef", 100_000))
	return dir
}

// contents returns the checksums of the files of a site, by path.
func contents(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	sums := map[string][32]byte{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(os.DirFS(dir), path)
		sums[path] = sha256.Sum256(raw)
		return err
	}))
	return sums
}

// crowd are clients of one server.
type crowd struct {
	server                 *server
	files                  map[string][32]byte
	requests, broken, rude atomic.Int64

	mu       sync.Mutex
	troubles []string
}

func (c *crowd) trouble(format string, arguments ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.troubles) < 10 {
		c.troubles = append(c.troubles, fmt.Sprintf(format, arguments...))
	}
}

// client sends requests until ctx ends. Of ten clients seven read files, two read slowly and
// disconnect, and one sends malformed requests.
func (c *crowd) client(ctx context.Context, r *rand.Rand, n int) {
	own := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer own.CloseIdleConnections()
	var paths []string
	for path := range c.files {
		if !strings.HasSuffix(path, ".gz") && !strings.HasSuffix(path, ".br") {
			paths = append(paths, path)
		}
	}
	for ctx.Err() == nil {
		path := paths[r.IntN(len(paths))]
		switch n % 10 {
		case 0:
			c.bother(r)
		case 1, 2:
			c.breakOff(ctx, own, path, r)
		default:
			c.read(ctx, own, path, r)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(r.IntN(1500)) * time.Millisecond):
		}
	}
}

// read reads a file and compares it.
func (c *crowd) read(ctx context.Context, own *http.Client, path string, r *rand.Rand) {
	request, err := http.NewRequestWithContext(ctx, "GET", c.server.address+"/"+path, nil)
	if err != nil {
		c.trouble("%s: %v", path, err)
		return
	}
	request.Header.Set("Accept-Encoding", []string{"identity", "gzip", "br, gzip"}[r.IntN(3)])
	answer, err := own.Do(request)
	if err != nil {
		if ctx.Err() == nil {
			c.trouble("%s: %v", path, err)
		}
		return
	}
	defer answer.Body.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, answer.Body)
	if ctx.Err() != nil {
		return
	}
	c.requests.Add(1)
	stored := path + map[string]string{"gzip": ".gz", "br": ".br"}[answer.Header.Get("Content-Encoding")]
	if want, there := c.files[stored]; err != nil || answer.StatusCode != http.StatusOK || !there || [32]byte(sum.Sum(nil)) != want {
		c.trouble("%s (%s): status %d, error %v, or other bytes than the file's", path, stored, answer.StatusCode, err)
	}
}

// breakOff reads some of a file, slowly, and goes.
func (c *crowd) breakOff(ctx context.Context, own *http.Client, path string, r *rand.Rand) {
	ctx, leave := context.WithTimeout(ctx, time.Duration(100+r.IntN(3000))*time.Millisecond)
	defer leave()
	request, err := http.NewRequestWithContext(ctx, "GET", c.server.address+"/"+path, nil)
	if err != nil {
		c.trouble("%s: %v", path, err)
		return
	}
	answer, err := own.Do(request)
	if err != nil {
		return // it took longer than this client waits
	}
	defer answer.Body.Close()
	for buffer := make([]byte, 2048); ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		if _, err := answer.Body.Read(buffer); err != nil {
			break
		}
	}
	c.requests.Add(1)
	if ctx.Err() != nil {
		c.broken.Add(1)
	}
}

// bother sends a malformed or partial request and disconnects.
func (c *crowd) bother(r *rand.Rand) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.server.address, "http://"))
	if err != nil {
		c.trouble("%v", err)
		return
	}
	defer conn.Close()
	line := []string{"GET / HTTP/1.1\r\nHost: ", "\x16\x03\x01\x02\x00", "GET /" + strings.Repeat("../", 30) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\nx", "GET / HTTP/9.9\r\n\r\n"}[r.IntN(5)]
	_, _ = io.WriteString(conn, line)                                                       // it may be refused
	_ = conn.SetReadDeadline(time.Now().Add(time.Duration(r.IntN(500)) * time.Millisecond)) // ignore the answer
	_, _ = io.Copy(io.Discard, conn)
	c.rude.Add(1)
}

// server is `deepemd serve` as a process.
type server struct {
	*command
	address string
	notes   bytes.Buffer
	lines   *bufio.Reader // its reports of memory
}

func serve(t *testing.T, dir string) *server {
	t.Helper()
	s := &server{command: deepemd(t, "serve", "--addr", "127.0.0.1", "--port", "0", "--dir", dir)}
	s.Env = append(s.Env, asksMemory+"=1")
	s.Stderr = &s.notes
	s.Stdout = nil
	out := require.Value(s.StdoutPipe())(t)
	require.NoError(t, s.Start())
	s.lines = bufio.NewReader(out)
	line, err := s.lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, &s.notes)
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(line, "The studio is at "), " ")
	s.address = strings.Replace(strings.TrimSpace(address), "localhost", "127.0.0.1", 1)
	return s
}

func (s *server) visit(t *testing.T, path string) {
	t.Helper()
	answer := require.Value(http.Get(s.address + path))(t)
	answer.Body.Close()
	http.DefaultClient.CloseIdleConnections()
}

// memory is the memory use of the server in MB, with other resources.
type memory struct {
	heap, process    float64
	goroutines, open int
}

func mean(all []memory) (m memory) {
	for _, one := range all {
		m.heap += one.heap / float64(len(all))
		m.process += one.process / float64(len(all))
	}
	return m
}
