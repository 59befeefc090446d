package serve

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/internal/server"
)

// networkOptions are the flags of serve for names, encryption and shutdown.
type networkOptions struct {
	server.Network
	tls []string
}

func (o *networkOptions) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.tls, "tls", nil, "use https with this certificate and key, PEM files: cert.pem,key.pem, or one file with both; \"self\" makes a certificate")
	flags.StringSliceVar(&o.Hosts, "host", nil, "host name to answer to, such as example.org, *.example.org or 192.0.2.1; \"*\" is any; can be repeated")
	flags.DurationVar(&o.Grace, "grace", server.Grace, "time for downloads to finish when the server stops")
}

// open checks the flags and reads their files, for a server at the given address.
func (o *networkOptions) open(cmd *cobra.Command, address string) (*server.Network, error) {
	if o.Grace <= 0 {
		return nil, fmt.Errorf("--grace %v: want a time above 0, such as 30s", o.Grace)
	}
	o.Notes = cmd.ErrOrStderr()
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("--host: %w", err)
	}
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		// The server always answers to its address; 0.0.0.0 is not a name.
		if _, err := netip.ParseAddr(host); err != nil {
			o.Hosts = append(o.Hosts, host)
		}
	}
	var err error
	if o.Certificate, err = o.certificate(); err != nil {
		return nil, fmt.Errorf("--tls: %w", err)
	}
	return &o.Network, nil
}

// certificate reads the files of --tls, if any.
func (o *networkOptions) certificate() (*tls.Certificate, error) {
	switch {
	case len(o.tls) == 0:
		return nil, nil
	case len(o.tls) == 1 && o.tls[0] == "self":
		return server.SelfSigned()
	case len(o.tls) == 1:
		return server.LoadCertificate(o.tls[0], o.tls[0])
	case len(o.tls) == 2:
		return server.LoadCertificate(o.tls[0], o.tls[1])
	}
	return nil, fmt.Errorf("%d files: want a certificate and its key: --tls cert.pem,key.pem", len(o.tls))
}
