package server

import (
	"bytes"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Certificate is what a server shows for itself over HTTPS, from two files. It is read
// again when they change: certificates of today last weeks.
type Certificate struct {
	certificate, key string // names of the files

	mutex   sync.Mutex
	pair    *tls.Certificate
	looked  time.Time // when the files were looked at last
	changed [2]time.Time
}

// lookEvery is how often the files are looked at, when somebody connects.
const lookEvery = time.Minute

// LoadCertificate reads a certificate, with those above it, and its private key from PEM
// files. Both may lie in one file.
//
// # Errors
//
// A file that cannot be read, holds something else, or does not belong to the other is
// named, with what to do.
func LoadCertificate(certificate, key string) (*Certificate, error) {
	c := &Certificate{certificate: certificate, key: key}
	c.looked, c.changed = time.Now(), c.times()
	var err error
	if c.pair, err = readPair(certificate, key); err != nil {
		return nil, err
	}
	return c, nil
}

// Names are the names and addresses that the certificate is for.
func (c *Certificate) Names() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	names := append([]string(nil), c.pair.Leaf.DNSNames...)
	for _, ip := range c.pair.Leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// Valid returns an error if browsers refuse the certificate at the given time.
func (c *Certificate) Valid(now time.Time) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch leaf := c.pair.Leaf; {
	case now.After(leaf.NotAfter):
		return fmt.Errorf("%s ended on %s: browsers will refuse it: renew it", c.certificate, leaf.NotAfter.UTC().Format(time.DateOnly))
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("%s begins on %s: browsers refuse it until then: is this machine's clock right?", c.certificate, leaf.NotBefore.UTC().Format(time.DateOnly))
	case len(leaf.DNSNames)+len(leaf.IPAddresses) == 0:
		return fmt.Errorf("%s names no host (subjectAltName): browsers will refuse it: make one that does", c.certificate)
	}
	return nil
}

// get returns the function that tls.Config asks for certificates.
func (c *Certificate) get(notes io.Writer) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(time.Now(), notes), nil }
}

// current is the pair in the files, or the last good one.
func (c *Certificate) current(now time.Time, notes io.Writer) *tls.Certificate {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if now.Sub(c.looked) < lookEvery {
		return c.pair
	}
	c.looked = now
	changed := c.times()
	if changed == c.changed {
		return c.pair
	}
	pair, err := readPair(c.certificate, c.key)
	if err != nil {
		// They may be about to change; the times are kept, so that we look again.
		fmt.Fprintf(notes, "the certificate stays as it was: %v\n", err)
		return c.pair
	}
	c.pair, c.changed = pair, changed
	return c.pair
}

// times are when the files were last changed.
func (c *Certificate) times() (t [2]time.Time) {
	for i, name := range []string{c.certificate, c.key} {
		if info, err := os.Stat(name); err == nil {
			t[i] = info.ModTime()
		}
	}
	return t
}

func readPair(certificate, key string) (*tls.Certificate, error) {
	certificates, err := readPEM(certificate)
	if err != nil {
		return nil, err
	}
	keys, err := readPEM(key)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(certificates, []byte("-----BEGIN CERTIFICATE-----")) {
		return nil, fmt.Errorf("%s: no certificate in it: want a PEM file with BEGIN CERTIFICATE; the certificate comes first, then its key", certificate)
	}
	if !bytes.Contains(keys, []byte("PRIVATE KEY-----")) {
		return nil, fmt.Errorf("%s: no private key in it: want a PEM file with BEGIN PRIVATE KEY; the certificate comes first, then its key", key)
	}
	for rest := keys; ; {
		block, after := pem.Decode(rest)
		if block == nil {
			break
		}
		if block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "" {
			return nil, fmt.Errorf("%s: the key is locked by a password: unlock it with `openssl pkey -in %[1]s -out unlocked.pem`, and let nobody else read that file", key)
		}
		rest = after
	}
	pair, err := tls.X509KeyPair(certificates, keys)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w: give a certificate and the key that it was made with, both in PEM", certificate, key, err)
	}
	return &pair, nil
}

// readPEM reads a file of certificates or keys, all of which are small.
func readPEM(name string) ([]byte, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file: give a certificate and its key, two PEM files", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: let this user read it", err)
	}
	defer file.Close()
	const most = 1 << 20
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s: too large for a certificate or a key: want a PEM file", name)
	}
	return data, err
}
