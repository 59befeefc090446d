package serve

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/web/server"
)

func init() { verb.Register(verb.Serve, newServeCommand) }

// newServeCommand returns the command that gives the built studio to browsers.
func newServeCommand() *cobra.Command {
	var addr, port, dir, pages string
	var embed bool
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the studio to browsers",
		Long: "Serve the built studio, the engine, the weights and the examples to browsers.\n\n" +
			"With --pages the shared pages (.html) and project files (.deepemd) of a folder are served below /pages/, as\n" +
			"they are when a browser asks for them. Pages of other origins may not show or fetch anything, unless --embed\n" +
			"permits it: then they may show shared pages in frames, and fetch project files, the package (/deepemd/) and\n" +
			"the networks (/weights/). The studio itself stays with its own origin.\n\n" +
			"The environment variables ADDR and PORT stand in for the flags of the same names.",
		Example: "  deepemd serve\n" +
			"  deepemd serve --embed --pages shared",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var options []server.Option
			if embed {
				options = append(options, server.Embeddable())
			}
			if pages != "" {
				folder, err := openPages(pages)
				if err != nil {
					return err
				}
				defer folder.Close()
				options = append(options, server.WithPages(folder.FS()))
			}
			handler, err := server.New(os.DirFS(dir), options...)
			if err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			address, err := joinAddress(addr, port)
			if err != nil {
				return err
			}
			listener, err := server.Listen(address)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			fmt.Fprintf(cmd.OutOrStdout(), "The studio is at %s (Ctrl+C stops it)\n", server.URL(listener))
			if pages != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "The pages and projects in %s are below %s/%s\n", pages, server.URL(listener), server.PagesFolder)
			}
			return server.Serve(ctx, listener, handler)
		},
	}
	command.Flags().StringVar(&addr, "addr", environment("ADDR", "localhost"), "host to serve on, or host:port")
	command.Flags().StringVar(&port, "port", environment("PORT", "8080"), "port to serve on; 0 takes a free one")
	command.Flags().StringVar(&dir, "dir", "build/site", "folder of the built site")
	command.Flags().StringVar(&pages, "pages", "", "folder of shared pages and project files to serve below /pages/")
	command.Flags().BoolVar(&embed, "embed", false, "let pages of any origin embed shared pages, projects and the package")
	return command
}

// openPages opens a folder of shared pages, out of which no link leads.
func openPages(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("--pages %s: %w: give a folder that exists", dir, err)
	}
	return root, nil
}

// joinAddress returns the host:port to listen on. A port in addr wins; an IPv6
// host may stand with or without brackets.
func joinAddress(addr, port string) (string, error) {
	if strings.Contains(addr, "://") {
		return "", fmt.Errorf("--addr %s: give a host such as localhost or 0.0.0.0, not an address with a scheme", addr)
	}
	if host, own, err := net.SplitHostPort(addr); err == nil {
		return net.JoinHostPort(host, own), nil
	}
	host := strings.TrimSuffix(strings.TrimPrefix(addr, "["), "]")
	if _, err := url.Parse("http://" + net.JoinHostPort(host, port)); err != nil {
		return "", fmt.Errorf("--addr %s --port %s: not a host and a port number", addr, port)
	}
	return net.JoinHostPort(host, port), nil
}

// environment returns the variable's value, or otherwise where it is not set.
func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
