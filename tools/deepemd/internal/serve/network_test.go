package serve

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestNetworkErrorsNameTheRemedy(t *testing.T) {
	dir := t.TempDir()
	cmdtest.WriteText(t, filepath.Join(dir, "index.html"), "<p>studio")
	text := filepath.Join(dir, "index.html")
	for _, c := range []struct {
		thing, remedy string
		args          []string
	}{
		{"https://a.example", "without https://", []string{"--host", "https://a.example"}},
		{"a.example:443", "without a port", []string{"--host", "b.example,a.example:443"}},
		{"missing.pem", "both in PEM", []string{"--tls", "missing.pem,key.pem"}},
		{"index.html", "both in PEM", []string{"--tls", text}},
		{"3 files", "cert.pem,key.pem", []string{"--tls", "a,b,c"}},
		{"--grace 0s", "such as 30s", []string{"--grace", "0s"}},
	} {
		command := newServeCommand()
		command.SetArgs(append([]string{"--dir", dir, "--port", "0"}, c.args...))
		command.SetOut(&bytes.Buffer{})
		command.SetErr(&bytes.Buffer{})
		if err := command.Execute(); err == nil || !strings.Contains(err.Error(), c.thing) || !strings.Contains(err.Error(), c.remedy) {
			t.Errorf("%q: error %v, want one that names %q and %q", c.args, err, c.thing, c.remedy)
		}
	}
}

// The server answers to the name in --addr, unless that is an address.
func TestAddressIsAnswered(t *testing.T) {
	for address, want := range map[string][]string{
		"studio.lan:80": {"given.example", "studio.lan"}, "0.0.0.0:80": {"given.example"}, "[::]:80": {"given.example"},
		":80": {"given.example"}, "192.0.2.1:80": {"given.example"},
	} {
		o := networkOptions{Hosts: []string{"given.example"}, Grace: 1}
		n := require.Value(o.open(newServeCommand(), address))(t)
		if !slices.Equal(n.Hosts, want) {
			t.Errorf("--addr %s: hosts %q, want %q", address, n.Hosts, want)
		}
	}
}

func TestHelp(t *testing.T) {
	long := newServeCommand().Long
	for _, want := range []string{"proxy", "421", "--grace"} {
		if !strings.Contains(long, want) {
			t.Errorf("the help does not say %q", want)
		}
	}
	for line := range strings.Lines(long) {
		if len(line) > 121 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// With a certificate the studio is at an https address, for the certificate's names.
func TestServeOverTLS(t *testing.T) {
	lender := httptest.NewTLSServer(nil) // which has a certificate for example.com and 127.0.0.1
	defer lender.Close()
	pair := lender.TLS.Certificates[0]
	key := require.Value(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))(t)
	both := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})) +
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))
	dir := t.TempDir()
	cmdtest.WriteText(t, filepath.Join(dir, "both.pem"), both)
	cmdtest.WriteText(t, filepath.Join(dir, "site", "index.html"), "<p>studio")

	out, done := make(chan string, 9), make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	command := newServeCommand()
	command.SetArgs([]string{"--addr", "127.0.0.1", "--port", "0", "--dir", filepath.Join(dir, "site"), "--tls", filepath.Join(dir, "both.pem")})
	command.SetOut(printed(out))
	command.SetErr(io.Discard)
	go func() { done <- command.ExecuteContext(ctx) }()
	address, _, _ := strings.Cut(strings.TrimPrefix(<-out, "The studio is at "), " ")
	address, ok := strings.CutPrefix(address, "https://localhost:")
	if !ok {
		t.Fatalf("the studio is at %s, want https", address)
	}
	for host, status := range map[string]int{"example.com": 200, "evil.example": 421} {
		r := require.Value(http.NewRequest("GET", "https://127.0.0.1:"+address+"/", nil))(t)
		r.Host = host
		answer := require.Value(lender.Client().Do(r))(t)
		answer.Body.Close()
		if answer.StatusCode != status {
			t.Errorf("host %s: status %d, want %d", host, answer.StatusCode, status)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
