package server

import (
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
	clean, err := asciiName(strings.TrimSuffix(strings.TrimPrefix(base, "["), "]"))
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

// lookup is how browsers turn names into ASCII; names of containers have underscores.
var lookup = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

// longestName is how many bytes a name may have in DNS. Longer ones would also take
// seconds to turn into ASCII.
const longestName = 253

// inNoName are characters of addresses and lists, which no name has.
const inNoName = " \t/\\:?#@*,[]%\""

// asciiName returns a name or address as browsers send it: in lower case, without a dot
// at its end, of ASCII alone (bücher.example is xn--bcher-kva.example).
func asciiName(name string) (string, error) {
	if ip, err := netip.ParseAddr(name); err == nil {
		return plainIP(ip).String(), nil
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if len(name) > longestName || strings.ContainsAny(name, inNoName) {
		return "", fmt.Errorf("%q is not a name", name)
	}
	// Dots and accents of other scripts become dots and blanks.
	ascii, err := lookup.ToASCII(name)
	if err == nil && (strings.ContainsAny(ascii, inNoName) || strings.Contains("."+ascii+".", "..")) {
		err = fmt.Errorf("%q is not a name", name)
	}
	return ascii, err
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
	name, err := asciiName(withoutPort(host))
	if err != nil {
		return false
	}
	if h.names[name] {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		own, isTCP := local.(*net.TCPAddr)
		return ip.IsLoopback() || isTCP && plainIP(own.AddrPort().Addr()) == ip
	}
	for _, end := range h.below {
		if len(name) > len(end) && strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// withoutPort is the host of a Host header.
func withoutPort(host string) string {
	if inside, ok := strings.CutPrefix(host, "["); ok { // IPv6
		inside, _, _ = strings.Cut(inside, "]")
		return inside
	}
	name, port, _ := strings.Cut(host, ":")
	if strings.Contains(port, ":") {
		return host
	}
	return name
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
