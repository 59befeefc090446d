package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// certified writes a certificate for localhost, 127.0.0.1 and the given names, with its
// key, to two files.
func certified(t *testing.T, dir string, number int64, until time.Time, names ...string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(number), NotBefore: until.Add(-48 * time.Hour), NotAfter: until,
		DNSNames: names, IsCA: true, BasicConstraintsValid: true,
	}
	if len(names) > 0 {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePEM(t, certificate, "CERTIFICATE", signed)
	writePEM(t, key, "PRIVATE KEY", pkcs8)
	return certificate, key
}

func writePEM(t *testing.T, name, kind string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// trusting returns a client that trusts the certificate in a file.
func trusting(t *testing.T, certificate string) *http.Client {
	t.Helper()
	data, err := os.ReadFile(certificate)
	if err != nil {
		t.Fatal(err)
	}
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
	c, err := LoadCertificate(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Valid(time.Now()); err != nil {
		t.Error(err)
	}
	notes := &lines{}
	s := Network{Certificate: c, Notes: notes}.run(t, newHandler(t), usual)
	for host, status := range map[string]int{"": 200, "localhost": 200, "studio.example.org": 200, "evil.example": 421} {
		r, err := http.NewRequest("GET", "https://"+s.address+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := trusting(t, certificate).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != status || answer.ProtoMajor != 2 {
			t.Errorf("host %q: %d over %s, want %d over HTTP/2", host, answer.StatusCode, answer.Proto, status)
		}
	}
	if _, err := http.Get("https://" + s.address + "/"); err == nil {
		t.Error("a client that does not know the certificate takes it")
	}
	plain, err := http.Get("http://" + s.address + "/")
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, plain); plain.StatusCode != 400 || !strings.Contains(got, "HTTPS") {
		t.Errorf("http is answered with %d and %q", plain.StatusCode, got)
	}
	if got := notes.String(); strings.Contains(got, "127.0.0.1") {
		t.Errorf("notes %q tell a visitor's address", got)
	}
}

// Of several downloads on one connection one may stall; the others come.
func TestStalledDownloadBesideOthers(t *testing.T) {
	certificate, key := certified(t, t.TempDir(), 1, tomorrow(), "localhost")
	c, err := LoadCertificate(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	h, size := large(t)
	log := &lines{}
	s := Network{Certificate: c, Log: log}.run(t, h, short())
	client := trusting(t, certificate)
	stalled, err := client.Get("https://" + s.address + "/large")
	if err != nil {
		t.Fatal(err)
	}
	defer stalled.Body.Close()
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(log.String(), "/large"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a download that nobody takes goes on")
		}
		other, err := client.Get("https://" + s.address + "/index.html")
		if err != nil {
			t.Fatal(err)
		}
		other.Body.Close()
	}
	if n, err := io.Copy(io.Discard, stalled.Body); err == nil || int(n) >= size {
		t.Errorf("%d bytes of %d and %v", n, size, err)
	}
}

// A certificate that is renewed in place is shown from the next minute on; a broken one is
// named and the old one stays.
func TestCertificateIsReadAnew(t *testing.T) {
	dir := t.TempDir()
	certificate, key := certified(t, dir, 1, tomorrow(), "localhost")
	c, err := LoadCertificate(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	now, notes := time.Now(), &lines{}
	shown := func(after time.Duration, number int64) {
		t.Helper()
		now = now.Add(after)
		if got := c.current(now, notes).Leaf.SerialNumber.Int64(); got != number {
			t.Errorf("certificate %d is shown, want %d", got, number)
		}
	}
	shown(0, 1)
	change := func(at time.Time) {
		for _, name := range []string{certificate, key} {
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	certified(t, dir, 2, tomorrow(), "localhost")
	change(now.Add(time.Hour))
	shown(time.Second, 1)
	shown(2*time.Minute, 2)
	if err := os.WriteFile(key, []byte("half a k"), 0o600); err != nil {
		t.Fatal(err)
	}
	change(now.Add(2 * time.Hour))
	shown(2*time.Minute, 2)
	if got := notes.String(); !strings.Contains(got, key) || !strings.Contains(got, "stays as it was") {
		t.Errorf("notes %q, want the broken file", got)
	}
	certified(t, dir, 3, tomorrow(), "localhost")
	shown(2*time.Minute, 3)
}

func TestCertificateErrorsNameTheRemedy(t *testing.T) {
	dir := t.TempDir()
	certificate, key := certified(t, dir, 1, tomorrow(), "localhost")
	_, other := certified(t, t.TempDir(), 2, tomorrow(), "localhost")
	text, locked, broken, huge := filepath.Join(dir, "text"), filepath.Join(dir, "locked"), filepath.Join(dir, "broken"), filepath.Join(dir, "huge")
	if err := os.WriteFile(text, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(huge, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	writePEM(t, locked, "ENCRYPTED PRIVATE KEY", []byte{1, 2, 3})
	writePEM(t, broken, "CERTIFICATE", []byte{1, 2, 3})
	for _, c := range []struct{ certificate, key, thing, remedy string }{
		{filepath.Join(dir, "missing"), key, "missing", "two PEM files"},
		{certificate, filepath.Join(dir, "gone"), "gone", "two PEM files"},
		{text, key, "text", "BEGIN CERTIFICATE"},
		{certificate, text, "text", "BEGIN PRIVATE KEY"},
		{key, certificate, "key.pem", "the certificate comes first"},
		{certificate, locked, "locked", "openssl pkey -in " + locked},
		{certificate, other, other, "the key that it was made with"},
		{broken, key, "broken", "PEM"},
		{huge, key, "huge", "PEM"},
		{dir, key, dir, ""},
	} {
		got, err := LoadCertificate(c.certificate, c.key)
		if err == nil || got != nil || !strings.Contains(err.Error(), c.thing) || !strings.Contains(err.Error(), c.remedy) {
			t.Errorf("%s, %s: error %v, want one that names %q and says %q", c.certificate, c.key, err, c.thing, c.remedy)
		}
	}
}

// Certificate and key may lie in one file, and browsers' refusals are foretold.
func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	certificate, key := certified(t, dir, 1, tomorrow(), "localhost", "*.example.org")
	var both []byte
	for _, name := range []string{key, certificate} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, data...)
	}
	one := filepath.Join(dir, "both.pem")
	if err := os.WriteFile(one, both, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadCertificate(one, one)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Names(), []string{"localhost", "*.example.org", "127.0.0.1"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	if err := (Network{Hosts: c.Names()}).Check(); err != nil {
		t.Errorf("names of a certificate: %v", err)
	}
	for when, want := range map[time.Duration]string{72 * time.Hour: "renew it", -72 * time.Hour: "clock"} {
		if err := c.Valid(time.Now().Add(when)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("after %v: error %v, want one that says %q", when, err, want)
		}
	}
	certificate, key = certified(t, dir, 1, tomorrow())
	if c, err = LoadCertificate(certificate, key); err != nil {
		t.Fatal(err)
	}
	if err := c.Valid(time.Now()); err == nil || !strings.Contains(err.Error(), "subjectAltName") {
		t.Errorf("error %v of a certificate without names", err)
	}
}
