package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

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
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
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
	for host, status := range map[string]int{"": 200, "localhost": 200, "studio.example.org": 200, "evil.example": 421} {
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
