package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// lines is a writer that tests read while a server writes.
type lines struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// running is a server of a test, at an address of this machine.
type running struct {
	address string
	stop    func()
	ended   chan error
}

// run serves until the test ends, or is told to stop.
func (n Network) run(t *testing.T, h http.Handler) *running {
	t.Helper()
	listener := require.Value(Listen("127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(context.Background())
	s := &running{listener.Addr().String(), stop, make(chan error, 1)}
	go func() { s.ended <- n.Serve(ctx, listener, h); close(s.ended) }()
	t.Cleanup(func() { stop(); <-s.ended })
	return s
}

func TestURL(t *testing.T) {
	for listen, want := range map[string]string{"127.0.0.1:0": "://localhost:", "0.0.0.0:0": "://localhost:"} {
		l := require.Value(net.Listen("tcp", listen))(t)
		for scheme, n := range map[string]Network{"http": {}, "https": {Certificate: &tls.Certificate{}}} {
			if got := n.URL(l); !strings.HasPrefix(got, scheme+want) {
				t.Errorf("URL of %s is %s, want %s%s…", listen, got, scheme, want)
			}
		}
		l.Close()
	}
}

// addressed is a listener at an address that this machine does not have.
type addressed struct {
	net.Listener
	at net.Addr
}

func (a addressed) Addr() net.Addr { return a.at }

func TestURLOfAnAddress(t *testing.T) {
	l := addressed{at: &net.TCPAddr{IP: net.ParseIP("2001:db8::1"), Port: 8080}}
	if got, want := (Network{}).URL(l), "http://[2001:db8::1]:8080"; got != want {
		t.Errorf("URL %s, want %s", got, want)
	}
}

// A server without settings serves, and stops without an error.
func TestServeWithoutSettings(t *testing.T) {
	s := Network{}.run(t, newHandler(t))
	answer := require.Value(http.Get("http://" + s.address))(t)
	answer.Body.Close()
	s.stop()
	if err := <-s.ended; err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("status %d; Serve returned %v", answer.StatusCode, err)
	}
	notes := &lines{}
	s = Network{Notes: notes}.run(t, newHandler(t))
	s.stop()
	if <-s.ended; !strings.Contains(notes.String(), "up to 30s more") {
		t.Errorf("notes %q", notes)
	}
}

// A request whose body never ends is answered, and does not keep its connection.
func TestBodiesAreNotAwaited(t *testing.T) {
	s := Network{}.run(t, newHandler(t))
	for head, status := range map[string]int{
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nfirst":           http.StatusMethodNotAllowed,
		"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst": http.StatusOK,
		"GET / HTTP/1.1\r\nHost: example.org\r\nContent-Length: 1000\r\n\r\n":               http.StatusMisdirectedRequest,
	} {
		conn := require.Value(net.Dial("tcp", s.address))(t)
		t.Cleanup(func() { conn.Close() })
		require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		require.Value(io.WriteString(conn, head))(t)
		from := bufio.NewReader(conn)
		answer, err := http.ReadResponse(from, nil)
		if err != nil || answer.StatusCode != status {
			t.Fatalf("%q: %v, %v; want status %d", head, answer, err, status)
		}
		if _, err := io.Copy(io.Discard, from); err != nil {
			t.Errorf("%q: the connection stays open: %v", head, err)
		}
	}
}

// large returns a site with a download that no buffer holds.
func large(t *testing.T) (http.Handler, int) {
	t.Helper()
	const size = 48 << 20
	h := require.Value(New(fstest.MapFS{"index.html": {}, "large": {Data: make([]byte, size)}}, nil, false))(t)
	return h, size
}

// begin starts a download and reads its first bytes.
func begin(t *testing.T, address string) *http.Response {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{ReadBufferSize: 4096}}
	r := require.Value(client.Get("http://" + address + "/large"))(t)
	t.Cleanup(func() { r.Body.Close(); client.CloseIdleConnections() })
	require.Value(io.ReadFull(r.Body, make([]byte, 100)))(t)
	return r
}

// Downloads under way when the server is told to stop arrive whole; nothing new begins.
func TestStopFinishesDownloads(t *testing.T) {
	h, size := large(t)
	notes := &lines{}
	s := Network{Notes: notes, Grace: 20 * time.Second}.run(t, h)
	var under [3]*http.Response
	for i := range under {
		under[i] = begin(t, s.address)
	}
	s.stop()
	for strings.Count(notes.String(), "stopping") == 0 {
		time.Sleep(time.Millisecond)
	}
	for {
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			break
		}
		conn.Close()
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-s.ended:
		t.Fatalf("the server ended before its downloads, with %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	for _, r := range under {
		if n, err := io.Copy(io.Discard, r.Body); err != nil || int(n) != size-100 {
			t.Errorf("%d bytes and %v, want %d", n, err, size-100)
		}
	}
	if err := <-s.ended; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if strings.Contains(notes.String(), "cut off") {
		t.Errorf("notes %q", notes)
	}
}

// A download that takes longer than the server was given is cut off, and it is said.
func TestStopEndsInTime(t *testing.T) {
	h, _ := large(t)
	notes := &lines{}
	s := Network{Notes: notes, Grace: 100 * time.Millisecond}.run(t, h)
	r := begin(t, s.address)
	began := time.Now()
	s.stop()
	if err := <-s.ended; err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if took := time.Since(began); took < 100*time.Millisecond {
		t.Errorf("the server stopped after %v, want 0.1 s or more", took)
	}
	if _, err := io.Copy(io.Discard, r.Body); err == nil {
		t.Error("the download came to its end")
	}
	if got := notes.String(); !strings.Contains(got, "up to 100ms more") || !strings.Contains(got, "cut off") {
		t.Errorf("notes %q", got)
	}
}

// Messages of net/http tell no visitor's address.
func TestNotesTellNoAddresses(t *testing.T) {
	var out bytes.Buffer
	said := "http: panic serving 192.0.2.7:4711: oh\nhttp: response to [2001:db8::1%eth0]:80 failed\n"
	log.New(notes{&out}, "", 0).Print(said)
	if got, want := out.String(), "http: panic serving a visitor: oh\nhttp: response to a visitor failed\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTakenPortSaysWhatToDo(t *testing.T) {
	first, err := Listen("localhost:0")
	require.NoError(t, err)
	defer first.Close()
	_, err = Listen(first.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "another port") {
		t.Errorf("error %v, want one that names the remedy", err)
	}
}

// certified writes a certificate for localhost, 127.0.0.1 and the given names, with its
// key, to two files.
func certified(t *testing.T, dir string, number int64, until time.Time, names ...string) (certificate, key string) {
	t.Helper()
	private := require.Value(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(number), NotBefore: until.Add(-48 * time.Hour), NotAfter: until,
		DNSNames: names, IsCA: true, BasicConstraintsValid: true,
	}
	if len(names) > 0 {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(192, 0, 2, 9)}
	}
	signed := require.Value(x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private))(t)
	pkcs8 := require.Value(x509.MarshalPKCS8PrivateKey(private))(t)
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePEM(t, certificate, "CERTIFICATE", signed)
	writePEM(t, key, "PRIVATE KEY", pkcs8)
	return certificate, key
}

func writePEM(t *testing.T, name, kind string, data []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600))
}

// trusting returns a client that trusts the certificate in a file.
func trusting(t *testing.T, certificate string) *http.Client {
	t.Helper()
	data := require.Value(os.ReadFile(certificate))(t)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(data) {
		t.Fatal("no certificate")
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func tomorrow() time.Time { return time.Now().Add(24 * time.Hour) }

func TestHTTPS(t *testing.T) {
	certificate, key := certified(t, t.TempDir(), 1, tomorrow(), "localhost", "studio.example.org")
	c := require.Value(LoadCertificate(certificate, key))(t)
	notes := &lines{}
	s := Network{Certificate: c, Notes: notes}.run(t, newHandler(t))
	for host, status := range map[string]int{"": 200, "localhost": 200, "studio.example.org": 200, "192.0.2.9": 200, "192.0.2.8": 421, "evil.example": 421} {
		r := require.Value(http.NewRequest("GET", "https://"+s.address+"/", nil))(t)
		r.Host = host
		answer := require.Value(trusting(t, certificate).Do(r))(t)
		answer.Body.Close()
		if answer.StatusCode != status || answer.ProtoMajor != 2 {
			t.Errorf("host %q: %d over %s, want %d over HTTP/2", host, answer.StatusCode, answer.Proto, status)
		}
	}
	if _, err := http.Get("https://" + s.address + "/"); err == nil {
		t.Error("a client that does not know the certificate takes it")
	}
	plain := require.Value(http.Get("http://" + s.address + "/"))(t)
	if got := text(t, plain); plain.StatusCode != 400 || !strings.Contains(got, "HTTPS") {
		t.Errorf("http is answered with %d and %q", plain.StatusCode, got)
	}
	if got := notes.String(); strings.Contains(got, "127.0.0.1") {
		t.Errorf("notes %q tell a visitor's address", got)
	}
}

// The certificate that the server makes fits localhost and every address that it names.
func TestSelfSigned(t *testing.T) {
	c := require.Value(SelfSigned())(t)
	s := Network{Certificate: c}.run(t, newHandler(t))
	roots := x509.NewCertPool()
	roots.AddCert(c.Leaf)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	defer client.CloseIdleConnections()
	_, port, _ := net.SplitHostPort(s.address)
	for _, host := range []string{"127.0.0.1", "localhost"} {
		answer := require.Value(client.Get("https://" + net.JoinHostPort(host, port) + "/"))(t)
		answer.Body.Close()
		if answer.StatusCode != 200 {
			t.Errorf("%s: status %d", host, answer.StatusCode)
		}
	}
	for _, ip := range networkAddresses() {
		require.NoError(t, c.Leaf.VerifyHostname(ip.String()))
	}
	if days := time.Until(c.Leaf.NotAfter).Hours() / 24; days < 300 || days > 398 {
		t.Errorf("valid for %.0f days", days)
	}
	if again := require.Value(SelfSigned())(t); again.Leaf.SerialNumber.Cmp(c.Leaf.SerialNumber) == 0 {
		t.Error("two certificates have one number")
	}
}

// A server for the network names the addresses that other machines can use.
func TestElsewhere(t *testing.T) {
	everywhere := addressed{at: &net.TCPAddr{IP: net.IPv4zero, Port: 8443}}
	certificate, key := certified(t, t.TempDir(), 1, tomorrow(), "localhost", "studio.example.org", "*.example.org")
	loaded := require.Value(LoadCertificate(certificate, key))(t)
	var own []string
	for _, ip := range networkAddresses() {
		own = append(own, ip.String()+":8443")
	}
	for name, c := range map[string]struct {
		listener net.Listener
		network  Network
		want     []string
	}{
		"localhost":          {addressed{at: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8443}}, Network{}, nil},
		"one address":        {addressed{at: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8443}}, Network{}, nil},
		"http":               {everywhere, Network{}, prefixed("http://", own)},
		"own certificate":    {everywhere, Network{Certificate: require.Value(SelfSigned())(t)}, prefixed("https://", own)},
		"signed certificate": {everywhere, Network{Certificate: loaded}, []string{"https://studio.example.org:8443", "https://192.0.2.9:8443"}},
		"IPv6":               {addressed{at: &net.TCPAddr{IP: net.IPv6unspecified, Port: 8443}}, Network{}, prefixed("http://", own)},
	} {
		if got := c.network.Elsewhere(c.listener); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func prefixed(prefix string, all []string) (out []string) {
	for _, s := range all {
		out = append(out, prefix+s)
	}
	return out
}

func TestCertificateErrorsNameTheRemedy(t *testing.T) {
	dir := t.TempDir()
	certificate, key := certified(t, dir, 1, tomorrow(), "localhost")
	_, other := certified(t, t.TempDir(), 2, tomorrow(), "localhost")
	locked := filepath.Join(dir, "locked")
	writePEM(t, locked, "ENCRYPTED PRIVATE KEY", []byte{1, 2, 3})
	for _, c := range []struct{ certificate, key string }{
		{filepath.Join(dir, "missing"), key}, {certificate, filepath.Join(dir, "gone")}, {key, certificate}, {certificate, locked}, {certificate, other}, {dir, key},
	} {
		_, err := LoadCertificate(c.certificate, c.key)
		if err == nil || !strings.Contains(err.Error(), c.certificate+" and "+c.key) || !strings.Contains(err.Error(), "both in PEM") {
			t.Errorf("%s, %s: error %v, want one that names both and the remedy", c.certificate, c.key, err)
		}
	}
}
