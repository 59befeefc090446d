package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestAddress(t *testing.T) {
	for _, c := range []struct{ addr, port, want string }{
		{"localhost", "8080", "localhost:8080"},
		{"0.0.0.0", "0", "0.0.0.0:0"},
		{"localhost:9000", "8080", "localhost:9000"},
		{"::1", "8080", "[::1]:8080"},
		{"[::1]", "8080", "[::1]:8080"},
		{"[::1]:9000", "8080", "[::1]:9000"},
		{"", "8080", ":8080"},
		{"http://localhost", "8080", ""},
		{"localhost", "eighty", ""},
	} {
		o := serveOptions{addr: c.addr, port: c.port}
		got, err := o.address(func(string) bool { return false })
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("--addr %q --port %q: %q, error %v, want %q", c.addr, c.port, got, err, c.want)
		}
	}
}

// --port beats a port in the environment, and contradicts one in --addr.
func TestTwoPorts(t *testing.T) {
	for _, c := range []struct {
		addr, port string
		given      []string
		want       string
	}{
		{"localhost:9000", "8080", nil, "localhost:9000"},
		{"localhost:9000", "8080", []string{"addr"}, "localhost:9000"},
		{"[::1]:9000", "8080", []string{"port"}, "[::1]:8080"},
		{"localhost:9000", "9000", []string{"addr", "port"}, "localhost:9000"},
		{"localhost:9000", "8080", []string{"addr", "port"}, ""},
	} {
		o := serveOptions{addr: c.addr, port: c.port}
		got, err := o.address(func(flag string) bool { return slices.Contains(c.given, flag) })
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, error %v", c, got, err)
		}
	}
}

func TestServeReadsTheEnvironment(t *testing.T) {
	t.Setenv("ADDR", "0.0.0.0")
	t.Setenv("PORT", "9999")
	flags := newServeCommand().Flags()
	for name, want := range map[string]string{"addr": "0.0.0.0", "port": "9999"} {
		if got := flags.Lookup(name).DefValue; got != want {
			t.Errorf("--%s defaults to %q, want %q", name, got, want)
		}
	}
}

func TestServePrintsItsAddressesAndStops(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("<p>studio"), 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		args       []string
		has, lacks string
	}{
		{nil, "http://localhost:", "network"},
		{[]string{"--addr", "0.0.0.0"}, "add --tls", "https://"},
		{[]string{"--addr", "0.0.0.0", "--host", "a.example"}, "On the network: http://", "add --tls"},
		{[]string{"--addr", "0.0.0.0", "--tls", "self"}, "On the network: https://", "add --tls"},
	} {
		var out bytes.Buffer
		command := newServeCommand()
		command.SetArgs(append([]string{"--port", "0", "--dir", dir}, c.args...))
		command.SetOut(&out)
		command.SetErr(io.Discard)
		require.NoError(t, command.ExecuteContext(ctx))
		if addresses, _ := net.InterfaceAddrs(); len(addresses) < 2 && c.args != nil {
			continue // a machine without a network
		}
		if got := out.String(); !strings.Contains(got, c.has) || strings.Contains(got, c.lacks) {
			t.Errorf("%q printed %q: want %q without %q", c.args, got, c.has, c.lacks)
		}
	}
}

func TestServeErrorsNameTheRemedy(t *testing.T) {
	taken := require.Value(net.Listen("tcp", "localhost:0"))(t)
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	built := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(built, "index.html"), nil, 0o600))
	for _, c := range []struct {
		name, remedy string
		args         []string
	}{
		{"taken port", "--port", []string{"--dir", built, "--port", port}},
		{"no site", "`make build`, or unpack the site archive of a release, and name its folder with --dir", []string{"--dir", t.TempDir()}},
		{"no folder", "`make build`, or unpack the site archive of a release, and name its folder with --dir", []string{"--dir", filepath.Join(built, "missing")}},
		{"no folder of pages", "give an existing one", []string{"--dir", built, "--pages", filepath.Join(built, "missing")}},
		{"an address with a scheme, and a port", "not an address with a scheme", []string{"--dir", built, "--addr", "http://localhost", "--port", "80"}},
		{"an address with a scheme", "not an address with a scheme", []string{"--dir", built, "--addr", "http://localhost"}},
		{"a file for pages", "give an existing one", []string{"--dir", built, "--pages", filepath.Join(built, "index.html")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			command := newServeCommand()
			command.SetArgs(c.args)
			command.SetOut(&bytes.Buffer{})
			command.SetErr(&bytes.Buffer{})
			if err := command.Execute(); err == nil || !strings.Contains(err.Error(), c.remedy) {
				t.Errorf("error %v, want one that mentions %q", err, c.remedy)
			}
		})
	}
}

// TestServeUnreadableSite: a site without the permission to read it is not served as an empty one.
func TestServeUnreadableSite(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read every file")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), nil, 0))
	cmdtest.Fails(t, "permission", "serve", "--dir", dir, "--port", "0")
}

// serve gives out what the flags say, to whom they say.
func TestServePages(t *testing.T) {
	dir, pages := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(dir, "index.html"): "<p>studio", filepath.Join(dir, "deepemd", "element.js"): "export {}",
		filepath.Join(pages, "cups.html"): "<p>cups", filepath.Join(pages, "cups.deepemd"): "PK",
	} {
		cmdtest.WriteText(t, path, text)
	}
	require.NoError(t, os.Symlink(filepath.Join(dir, "index.html"), filepath.Join(pages, "out.html")))
	for _, c := range []struct {
		flags  []string
		status int
		origin string
		framed bool
	}{
		{nil, 404, "", false},
		{[]string{"--pages", pages}, 200, "", false},
		{[]string{"--pages", pages, "--embed"}, 200, "*", true},
		{[]string{"--embed"}, 404, "*", false},
	} {
		out := make(chan string, 2)
		ctx, cancel := context.WithCancel(context.Background())
		command := newServeCommand()
		command.SetArgs(append([]string{"--port", "0", "--dir", dir}, c.flags...))
		command.SetOut(printed(out))
		done := make(chan error, 1)
		go func() { done <- command.ExecuteContext(ctx) }()
		address, _, _ := strings.Cut(strings.TrimPrefix(<-out, "The studio is at "), " ")
		if slices.Contains(c.flags, "--pages") {
			if line := <-out; !strings.Contains(line, pages+" are at "+address+"/pages/") {
				t.Errorf("%v: printed %q, want the address of the pages", c.flags, line)
			}
		}
		for path, status := range map[string]int{"/": 200, "/deepemd/element.js": 200, "/pages/cups.html": c.status, "/pages/cups.deepemd": c.status, "/pages/out.html": 404} {
			r := require.Value(http.Get(address + path))(t)
			r.Body.Close()
			if r.StatusCode != status {
				t.Errorf("%v: %s answers %d, want %d", c.flags, path, r.StatusCode, status)
			}
			want := c.origin
			if path == "/" {
				want = ""
			}
			if got := r.Header.Get("Access-Control-Allow-Origin"); got != want {
				t.Errorf("%v: %s allows the origin %q, want %q", c.flags, path, got, want)
			}
			framed := c.framed && strings.HasPrefix(path, "/pages/cups")
			if got := !strings.Contains(r.Header.Get("Content-Security-Policy"), "frame-ancestors 'self'"); got != framed {
				t.Errorf("%v: %s may be framed: %v, want %v", c.flags, path, got, framed)
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A folder of pages that is replaced is served as it is then, and without it there are no pages.
func TestServeReplacedPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pages")
	cmdtest.WriteText(t, filepath.Join(dir, "cups.html"), "old")
	folder := require.Value(openPages(dir))(t)
	require.NoError(t, os.Rename(dir, dir+".old"))
	cmdtest.WriteText(t, filepath.Join(dir, "cups.html"), "new")
	if data, err := fs.ReadFile(folder, "cups.html"); err != nil || string(data) != "new" {
		t.Errorf("cups.html holds %q (%v), want the new page", data, err)
	}
	require.NoError(t, os.RemoveAll(dir))
	if _, err := fs.Stat(folder, "cups.html"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without the folder: error %v", err)
	}
}

// printed is where a command prints to: a line at a time.
type printed chan<- string

func (p printed) Write(line []byte) (int, error) {
	p <- string(line)
	return len(line), nil
}
