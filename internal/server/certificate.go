package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"time"
)

// LoadCertificate reads a certificate chain and its private key from PEM files, which may be the
// same. Errors name both files.
func LoadCertificate(certificate, key string) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w: give a certificate and the key that it was made with, without a password, both in PEM", certificate, key, err)
	}
	return &pair, nil
}

// SelfSigned returns a new certificate for localhost and the addresses of this machine. It is valid for
// a year, because Safari rejects certificates that are valid for longer than 825 days. Browsers warn
// before they accept it.
func SelfSigned() (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 64)) // browsers reject two certificates with one number
	if err != nil {
		return nil, err
	}
	certificate := &x509.Certificate{
		SerialNumber: number,
		NotBefore:    time.Now().Add(-time.Hour), // for phones whose clock is slow
		NotAfter:     time.Now().AddDate(1, 0, 0),
		DNSNames:     []string{"localhost"},
		IPAddresses:  append(networkAddresses(), net.IPv4(127, 0, 0, 1), net.IPv6loopback),
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, certificate, certificate, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(signed)
	return &tls.Certificate{Certificate: [][]byte{signed}, PrivateKey: key, Leaf: leaf}, err
}

// networkAddresses returns the IPv4 addresses of this machine, except loopback and link-local ones.
func networkAddresses() (ips []net.IP) {
	all, _ := net.InterfaceAddrs() // without them, the server is still reachable
	for _, a := range all {
		if network, ok := a.(*net.IPNet); ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			ips = append(ips, network.IP)
		}
	}
	return ips
}
