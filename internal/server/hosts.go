package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// hosts are the host names that a server answers to. A third-party page whose name resolves to this
// machine (DNS rebinding) would have the server's origin and could read files below /pages/. The
// server therefore rejects other names.
type hosts struct {
	any   bool
	names map[string]bool
	below []string // ".example.org": all names that end so
}

// parseHosts parses names such as example.org, *.example.org and 192.0.2.1; "*" accepts all.
func parseHosts(names []string) (*hosts, error) {
	h := &hosts{names: map[string]bool{"localhost": true}, below: []string{".localhost"}}
	for _, name := range names {
		if err := h.add(name); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (h *hosts) add(name string) error {
	if name == "*" {
		h.any = true
		return nil
	}
	base, all := strings.CutPrefix(name, "*.")
	clean, err := lookup.ToASCII(plainName(base))
	if ip, notIP := netip.ParseAddr(plainName(base)); notIP == nil {
		clean, err = plainIP(ip).String(), nil
	} else if strings.Contains("."+clean+".", "..") || strings.ContainsAny(clean, " \t/\\:?#@*,[]%\"") {
		err = errors.New("not a host name")
	}
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a host: want a name such as example.org or *.example.org, or an address such as 192.0.2.1, without https:// and without a port", name)
	case all:
		h.below = append(h.below, "."+clean)
	default:
		h.names[clean] = true
	}
	return nil
}

// lookup converts names to ASCII like browsers, but permits underscores, which container names
// have.
var lookup = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

// plainName returns a host in lower case, without brackets and trailing dot.
func plainName(host string) string {
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// plainIP returns the address without a zone, and IPv4 instead of IPv6-mapped addresses.
func plainIP(ip netip.Addr) netip.Addr { return ip.Unmap().WithZone("") }

// answer reports whether to answer a request for a host (and port) that arrived at a local address.
// It accepts requests without a host: browsers do not send them, but health checks do.
func (h *hosts) answer(host string, local net.Addr) bool {
	if h.any || host == "" {
		return true
	}
	name := withoutPort(host)
	if h.names[name] {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		ip, own := plainIP(ip), netip.Addr{}
		if tcp, ok := local.(*net.TCPAddr); ok {
			own = plainIP(tcp.AddrPort().Addr())
		}
		return ip.IsLoopback() || ip == own || h.names[ip.String()]
	}
	return slices.ContainsFunc(h.below, func(end string) bool { return len(name) > len(end) && strings.HasSuffix(name, end) })
}

func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return plainName(host)
}

// restrict restricts a handler to the hosts. Other requests get status 421 with the reason (RFC 9110,
// section 15.5.20).
func (h *hosts) restrict(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if h.answer(r.Host, local) {
			next.ServeHTTP(w, r)
			return
		}
		secure(w.Header())
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, fmt.Sprintf("this server does not answer to the name %q: its operator can add the name with --host", withoutPort(r.Host)), http.StatusMisdirectedRequest)
	})
}
