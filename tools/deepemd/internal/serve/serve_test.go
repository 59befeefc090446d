package serve

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestJoinAddress(t *testing.T) {
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
		got, err := joinAddress(c.addr, c.port)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("joinAddress(%q, %q) = %q, %v, want %q", c.addr, c.port, got, err, c.want)
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

func TestServePrintsItsAddressAndStops(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<p>studio"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	var out bytes.Buffer
	command := newServeCommand()
	command.SetArgs([]string{"--port", "0", "--dir", dir})
	command.SetOut(&out)
	if err := command.ExecuteContext(ctx); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "http://localhost:") {
		t.Errorf("printed %q, want the address", out.String())
	}
}

func TestServeErrorsNameTheRemedy(t *testing.T) {
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	built := t.TempDir()
	if err := os.WriteFile(filepath.Join(built, "index.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, remedy string
		args         []string
	}{
		{"taken port", "--port", []string{"--dir", built, "--port", port}},
		{"no site", "make build", []string{"--dir", t.TempDir()}},
		{"no folder", "make build", []string{"--dir", filepath.Join(built, "missing")}},
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
