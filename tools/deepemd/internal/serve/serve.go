package serve

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/internal/server"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func init() { verb.Register(verb.Serve, newServeCommand) }

func newServeCommand() *cobra.Command {
	var o serveOptions
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the studio to browsers",
		Long: "Serve the built studio, the engine, the weights and the examples to browsers.\n\n" +
			"--pages serves the shared pages (.html) and project files (.deepemd) of a folder below /pages/, in their current\n" +
			"state. Pages of other origins may not show or fetch anything, unless --embed allows them to show shared pages in\n" +
			"frames, and to fetch project files, the package (/deepemd/) and the networks (/weights/). The studio itself\n" +
			"remains closed to them.\n\n" +
			"The server answers to these host names: localhost, loopback addresses, the address at which a request arrives,\n" +
			"the name in --addr, the names of the certificate, and every --host. It answers 421 to others, so that foreign\n" +
			"pages cannot read /pages/ through a name that points here.\n\n" +
			"Over a network, browsers allow cameras and microphones only with https. Use --tls with a certificate and its key,\n" +
			"or an https proxy, and give its name with --host; a proxy can also log, and limit slow clients and connections.\n" +
			"Restart the server after renewing the certificate. To try the studio on a phone, --tls self makes a certificate for\n" +
			"the addresses of this machine at each start; browsers show a warning before they accept it.\n\n" +
			"Ctrl+C and SIGTERM stop the server: downloads may finish within --grace. A second Ctrl+C stops it at once.\n\n" +
			"The environment variables ADDR and PORT set the defaults of the flags.",
		Example: "  deepemd serve\n" +
			"  deepemd serve --embed --pages shared\n" +
			"  deepemd serve --addr 0.0.0.0 --port 8443 --tls self\n" +
			"  deepemd serve --addr 0.0.0.0 --port 8443 --tls cert.pem,key.pem\n" +
			"  deepemd serve --addr 0.0.0.0 --host studio.example.org",
		Args: verb.NoArguments,
		RunE: verb.Stoppable(func(cmd *cobra.Command, _ []string) error { return o.serve(cmd) }),
	}
	flags := command.Flags()
	flags.StringVar(&o.addr, "addr", cmp.Or(os.Getenv("ADDR"), "localhost"), "host to serve on, or host:port; 0.0.0.0 also serves other machines")
	flags.StringVar(&o.port, "port", cmp.Or(os.Getenv("PORT"), "8080"), "port to serve on; 0 selects a free one")
	flags.StringVar(&o.dir, "dir", "build/site", "folder of the built site; links in it are followed")
	flags.StringVar(&o.pages, "pages", "", "folder of shared pages and project files to serve below /pages/; links out of it are not followed")
	flags.BoolVar(&o.embed, "embed", false, "allow pages of any origin to embed shared pages, projects and the package")
	o.network.add(flags)
	return command
}

type serveOptions struct {
	addr, port, dir, pages string
	embed                  bool
	network                networkOptions
}

func (o *serveOptions) serve(cmd *cobra.Command) error {
	pages, err := openPages(o.pages)
	if err != nil {
		return err
	}
	address, err := o.address(cmd.Flags().Changed)
	if err != nil {
		return err
	}
	network, err := o.network.open(cmd, address)
	if err != nil {
		return err
	}
	if _, err := os.ReadFile(filepath.Join(o.dir, "index.html")); errors.Is(err, fs.ErrPermission) {
		return err // otherwise, every answer would be that the page does not exist
	}
	handler, err := server.New(os.DirFS(o.dir), pages, o.embed)
	if err != nil {
		return siteError(o.dir, err)
	}
	listener, err := server.Listen(address)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "The studio is at %s (Ctrl+C stops it)\n", network.URL(listener))
	elsewhere := network.Elsewhere(listener)
	for _, url := range elsewhere {
		fmt.Fprintf(out, "On the network: %s\n", url)
	}
	if len(elsewhere) > 0 && network.Certificate == nil && len(network.Hosts) == 0 { // --host names a proxy, which has a certificate
		fmt.Fprintln(out, "Without https, browsers allow no camera and no microphone there: add --tls self, or a certificate (deepemd serve --help)")
	}
	if o.pages != "" {
		fmt.Fprintf(out, "The pages and projects in %s are at %s/%sNAME\n", o.pages, network.URL(listener), server.PagesFolder)
	}
	return network.Serve(cmd.Context(), listener, handler)
}

// pagesFolder is the path of a folder of shared pages. No link leads out of it. Each request opens it
// by its path, so that the folder can be replaced.
type pagesFolder string

// openPages returns an existing folder, or nil for "".
func openPages(dir string) (fs.FS, error) {
	if dir == "" {
		return nil, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--pages %s: no such folder: give an existing one", dir)
	}
	return pagesFolder(dir), nil
}

// Open opens a file of the folder.
func (f pagesFolder) Open(name string) (fs.File, error) { return os.OpenInRoot(string(f), name) }

// Stat describes a file of the folder.
func (f pagesFolder) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(name)
}

// address returns the host:port to listen on. A port in --addr takes precedence, except that --port overrides
// the environment variable ADDR. Brackets around an IPv6 host are optional.
func (o *serveOptions) address(given func(flag string) bool) (string, error) {
	if strings.Contains(o.addr, "://") {
		return "", fmt.Errorf("--addr %s: give a host such as localhost or 0.0.0.0, not an address with a scheme", o.addr)
	}
	host, own, err := net.SplitHostPort(o.addr)
	switch {
	case err != nil: // it has no port
		host = strings.TrimSuffix(strings.TrimPrefix(o.addr, "["), "]")
	case !given("port") || own == o.port:
		return net.JoinHostPort(host, own), nil
	case given("addr"):
		return "", fmt.Errorf("--addr %s --port %s: two ports: remove one of them", o.addr, o.port)
	}
	if _, err := url.Parse("http://" + net.JoinHostPort(host, o.port)); err != nil {
		return "", fmt.Errorf("--addr %s --port %s: not a host and a port number", o.addr, o.port)
	}
	return net.JoinHostPort(host, o.port), nil
}
