package serve

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/web/server"
)

// networkOptions are the flags of serve that say how it meets a network.
type networkOptions struct {
	tls, hosts []string
	log        string
	visitors   bool
	grace      time.Duration
}

func (o *networkOptions) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.tls, "tls", nil, "speak https with this certificate and key, PEM files: cert.pem,key.pem, or one file with both")
	flags.StringSliceVar(&o.hosts, "host", nil, "name to answer to, such as example.org, *.example.org or 192.0.2.1; \"*\" is any; repeat it for several")
	flags.StringVar(&o.log, "log", "", "file to write a line of JSON to for each answer; - is standard output")
	flags.BoolVar(&o.visitors, "log-visitors", false, "write visitors' addresses and queries into the log, too")
	flags.DurationVar(&o.grace, "grace", server.Grace, "how long downloads may go on when the server is told to stop")
}

// notes is where the command says what is for people: not where the log goes.
func (o *networkOptions) notes(cmd *cobra.Command) io.Writer {
	if o.log == "-" {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}

// open checks the flags and opens what they name, for a server at the given address. The
// function that it returns closes the log.
func (o *networkOptions) open(cmd *cobra.Command, address string) (*server.Network, func(), error) {
	if o.grace <= 0 {
		return nil, nil, fmt.Errorf("--grace %v: want a time above 0, such as 30s", o.grace)
	}
	if o.visitors && o.log == "" {
		return nil, nil, errors.New("--log-visitors: there is no log to write visitors into: give one with --log, - for standard output")
	}
	n := &server.Network{Hosts: o.hosts, LogVisitors: o.visitors, Grace: o.grace, Notes: cmd.ErrOrStderr()}
	if err := n.Check(); err != nil {
		return nil, nil, fmt.Errorf("--host: %w", err)
	}
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		// An address is answered where requests come in; 0.0.0.0 is no name.
		if _, err := netip.ParseAddr(host); err != nil {
			n.Hosts = append(n.Hosts, host)
		}
	}
	var err error
	if n.Certificate, err = o.certificate(cmd.ErrOrStderr()); err != nil {
		return nil, nil, fmt.Errorf("--tls: %w", err)
	}
	switch o.log {
	case "":
	case "-":
		n.Log = cmd.OutOrStdout()
	default:
		file, err := os.OpenFile(o.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
		if err != nil {
			return nil, nil, fmt.Errorf("--log: %w: name a file in a folder that this user may write to", err)
		}
		n.Log = file
		return n, func() { file.Close() }, nil
	}
	return n, func() {}, nil
}

// certificate reads the files of --tls, if there are any, and says on stderr what browsers
// will find wrong with them.
func (o *networkOptions) certificate(stderr io.Writer) (*server.Certificate, error) {
	var files [2]string
	switch len(o.tls) {
	case 0:
		return nil, nil
	case 1:
		files = [2]string{o.tls[0], o.tls[0]}
	case 2:
		files = [2]string(o.tls)
	default:
		return nil, fmt.Errorf("%d files: want a certificate and its key: --tls cert.pem,key.pem", len(o.tls))
	}
	c, err := server.LoadCertificate(files[0], files[1])
	if err != nil {
		return nil, err
	}
	if err := c.Valid(time.Now()); err != nil {
		fmt.Fprintf(stderr, "note: %v\n", err)
	}
	return c, nil
}
