package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"golang.org/x/net/idna"
)

// hosts are the names that a server answers to. A page of somebody else whose name is
// made to lead to this machine (DNS rebinding) would share the server's origin in that
// browser's eyes and could read what lies below /pages/; under a name that nobody gave it
// the server says nothing.
type hosts struct {
	any   bool
	names map[string]bool
	below []string // ".example.org": all names that end so
}

// parseHosts reads names such as example.org, *.example.org and 192.0.2.1; "*" is any.
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
		err = errors.New("no name")
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

// lookup turns names into ASCII like browsers; names of containers have underscores.
var lookup = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

// plainName is a host in lower case, without brackets and without a dot at its end.
func plainName(host string) string {
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// plainIP is the address without the network card and without the IPv6 around IPv4.
func plainIP(ip netip.Addr) netip.Addr { return ip.Unmap().WithZone("") }

// answer reports whether a request for the given host (and port), that came in at the
// given address of this machine, is answered. One without a host is: no browser sends
// such, but programs that look whether the server lives do.
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
	for _, end := range h.below {
		if len(name) > len(end) && strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// withoutPort is the host of a Host header, in which browsers write names in ASCII.
func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return plainName(host)
}

// only has a handler answer those who ask for one of the hosts, and tells all others why
// not, as RFC 9110, section 15.5.20, has it.
func (h *hosts) only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if h.answer(r.Host, local) {
			next.ServeHTTP(w, r)
			return
		}
		secure(w.Header())
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, fmt.Sprintf("this server does not answer to the name %q: who runs it can add the name with --host", withoutPort(r.Host)), http.StatusMisdirectedRequest)
	})
}
