package server

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func TestHosts(t *testing.T) {
	here := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 8080}
	for _, c := range []struct {
		names   []string
		answers []string
		refuses []string
	}{
		{
			nil,
			[]string{"localhost", "localhost:8080", "LOCALHOST.:80", "studio.localhost", "127.0.0.1:8080", "127.8.0.1", "[::1]:8080", "[::1]",
				"[::ffff:127.0.0.1]", "192.0.2.7:8080", "[::ffff:192.0.2.7]:8080", ""},
			[]string{"evil.example", "localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example", "192.0.2.8", "[2001:db8::1]:8080",
				"0.0.0.0", "localhost@evil.example", "*", ":8080", "[", "[]", "a:b:c", "\x00", "xn--\xff", ".localhost", " localhost"},
		},
		{
			[]string{"Studio.Example.org", "*.example.net", "198.51.100.1", "[2001:db8:0::2]", "::ffff:198.51.100.3", "bücher.example", "my_container"},
			[]string{"studio.example.org", "STUDIO.example.org.:443", "a.example.net", "a.b.example.net", "198.51.100.1:80", "198.51.100.3", "[2001:db8::2]",
				"[2001:DB8:0::2]:80", "xn--bcher-kva.example", "my_container:80", "localhost"},
			[]string{"example.org", "a.studio.example.org", "example.net", "badexample.net", ".example.net", "198.51.100.2"},
		},
		{[]string{"*"}, []string{"evil.example", "192.0.2.8", "[::2]:1", ""}, nil},
	} {
		h := require.Value(parseHosts(c.names))(t)
		for _, host := range c.answers {
			if !h.answer(host, here) {
				t.Errorf("hosts %q: %q is refused", c.names, host)
			}
		}
		for _, host := range c.refuses {
			if h.answer(host, here) {
				t.Errorf("hosts %q: %q is answered", c.names, host)
			}
		}
	}
	h, _ := parseHosts(nil)
	if h.answer("192.0.2.7", nil) || h.answer("192.0.2.7", &net.UnixAddr{Name: "socket"}) {
		t.Error("an address is answered by a server that has none")
	}
}

func TestWhatIsNoHost(t *testing.T) {
	for _, name := range []string{"", "https://example.org", "example.org:443", "a b", "*.", "*.*.example.org", "exam*ple.org", "a,b", "[::1", "192.0.2.1:80", "user@example.org"} {
		switch err := (Network{Hosts: []string{name}}).Check(); {
		case name == "[::1":
			// The bracket is taken for one of a pair.
		case err == nil || !strings.Contains(err.Error(), "example.org"):
			t.Errorf("host %q: error %v, want one that shows what to give", name, err)
		}
	}
}

// A page whose name was made to lead here learns nothing.
func TestForeignNameIsToldWhy(t *testing.T) {
	h := require.Value(New(site(), pages(), true))(t)
	names := require.Value(parseHosts([]string{"studio.example.org"}))(t)
	r := requestOf("/pages/cups.deepemd")
	r.Host = "evil.example:8080"
	refused := answerTo(names.restrict(h), r)
	body := text(t, refused)
	if refused.StatusCode != http.StatusMisdirectedRequest || refused.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		refused.Header.Get("Cache-Control") != "no-store" || refused.Header.Get("Content-Security-Policy") != policy || refused.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("status %d with the headers %v", refused.StatusCode, refused.Header)
	}
	if !strings.Contains(body, `"evil.example"`) || !strings.Contains(body, "--host") || strings.Contains(body, "PK") {
		t.Errorf("text %q, want one that names the host and the remedy", body)
	}
	r.Host = "studio.example.org"
	if answered := answerTo(names.restrict(h), r); answered.StatusCode != http.StatusOK {
		t.Errorf("status %d for a name that was given", answered.StatusCode)
	}
}

func FuzzHost(f *testing.F) {
	names := require.Value(parseHosts([]string{"studio.example.org", "*.example.net", "198.51.100.1"}))(f)
	here := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 8080}
	f.Fuzz(func(t *testing.T, host string) {
		// All names below evil.example are rejected.
		if names.answer(host+".evil.example", here) && !strings.ContainsAny(host, ":[") {
			t.Errorf("%q is answered", host+".evil.example")
		}
		var answered bool
		bombs.Budget(t, 1<<20, 256, len(host), func() { answered = names.answer(host, here) })
		if !answered {
			return
		}
		// Accepted names are equivalent to one of these.
		clean := withoutPort(host)
		if host == "" || names.names[clean] || strings.HasSuffix(clean, ".localhost") || strings.HasSuffix(clean, ".example.net") {
			return
		}
		if ip := net.ParseIP(clean); ip == nil || !ip.IsLoopback() && !ip.Equal(here.IP) {
			t.Errorf("%q is answered", host)
		}
	})
}
