package server

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/bombs"
)

func TestNegotiate(t *testing.T) {
	both, gzip, none := []string{"br", "gzip"}, []string{"gzip"}, []string{}
	for _, c := range []struct {
		accept    string
		available []string
		want      string
		ok        bool
	}{
		{"", both, "", true},
		{"gzip", both, "gzip", true},
		{"br", both, "br", true},
		{"gzip, deflate, br, zstd", both, "br", true}, // alike wanted: the smaller
		{"gzip;q=1, br;q=0.1", both, "gzip", true},
		{"gzip;q=0.1, br;q=1", both, "br", true},
		{"gzip ; q=0.4 ,br; Q=0.300", both, "gzip", true},
		{"GZip", both, "gzip", true},
		{"x-gzip", both, "gzip", true},
		{"br;q=0, gzip;q=0.5", both, "gzip", true},
		{"br;q=0.000", both, "", true},
		{"br", gzip, "", true},
		{"*", both, "br", true},
		{"*;q=0.2, br;q=0.1", both, "gzip", true},
		{"br;q=0, *", both, "gzip", true},
		{"*;q=0.5, gzip", both, "gzip", true},
		{"identity", both, "", true},
		{"identity, br;q=0.5", both, "", true},
		{"identity;q=0.5, br", both, "br", true},
		{"identity;q=0.5, br;q=0.5", both, "br", true},
		{"identity;q=0, gzip", both, "gzip", true},
		{"identity;q=0", both, "", false},
		{"*;q=0", both, "", false},
		{"gzip, *;q=0", none, "", false},
		{"*;q=0, identity", both, "", true},
		{"deflate", both, "", true},
		// What is no weight is no wish.
		{"br;q=2, gzip", both, "gzip", true},
		{"br;q=-1, gzip;q=NaN", both, "", true},
		{"br;q=1e-1, gzip;q=0.5", both, "gzip", true},
		{"br;q=0.0001", both, "", true},
		{"br;q=", both, "", true},
		{"br;level=11, gzip;q=0.5", both, "gzip", true},
		{"br, br;q=0", both, "", true}, // twice: the refusal counts
		{";;,=", both, "", true},
		{" , ,br, ", both, "br", true},
	} {
		available := map[string]body{}
		for _, name := range c.available {
			available[name] = body{}
		}
		if got, ok := negotiate(c.accept, available); got != c.want || ok != c.ok {
			t.Errorf("Accept-Encoding %q of %v: %q, %v, want %q, %v", c.accept, c.available, got, ok, c.want, c.ok)
		}
	}
}

// Who takes no file as it is, and of whom there is nothing else, is told so.
func TestNothingAcceptable(t *testing.T) {
	r := get(t, newHandler(t), "/web/studio.css", "Accept-Encoding", "gzip, identity;q=0")
	if got := text(t, r); r.StatusCode != http.StatusNotAcceptable || !strings.Contains(got, "identity") {
		t.Errorf("status %d with the text %q, want 406 that names identity", r.StatusCode, got)
	}
	if got := r.Header.Get("Content-Type"); got != "text/plain; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
}

// A header in several lines is one list.
func TestAcceptEncodingInSeveralLines(t *testing.T) {
	h, err := New(fstest.MapFS{"index.html": {Data: []byte("plain")}, "index.html.br": {Data: []byte("br")}, "index.html.gz": {Data: []byte("gzip")}})
	if err != nil {
		t.Fatal(err)
	}
	r := requestOf("/")
	r.Header["Accept-Encoding"] = []string{"br;q=0.1", "gzip"}
	if got := answerTo(h, r).Header.Get("Content-Encoding"); got != "gzip" {
		t.Errorf("Content-Encoding %q, want gzip", got)
	}
}

func FuzzAcceptEncoding(f *testing.F) {
	available := map[string]body{"br": {}, "gzip": {}}
	f.Fuzz(func(t *testing.T, accept string) {
		var got string
		var ok bool
		bombs.Budget(t, 1<<20, 1024, len(accept), func() { got, ok = negotiate(accept, available) })
		if _, have := available[got]; got != "" && !have {
			t.Fatalf("%q: %q is not available", accept, got)
		}
		if !ok && (got != "" || !strings.Contains(strings.ToLower(accept), "q")) {
			t.Errorf("%q: %q, and nothing is acceptable", accept, got)
		}
		// An encoding comes only to those who named it, or all.
		named := func(names ...string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(strings.ToLower(accept), n) })
		}
		if got != "" && !named(got, "*") {
			t.Errorf("%q: %q was not asked for", accept, got)
		}
		// Neither blanks around the parts nor what is empty between them count.
		if again, fine := negotiate(" ,"+strings.ReplaceAll(accept, ",", " ,,\t")+", ", available); again != got || fine != ok {
			t.Errorf("%q: %q, %v, with more blanks %q, %v", accept, got, ok, again, fine)
		}
		// A refusal at the end holds, whatever stands before it.
		if got, _ := negotiate(accept+",br;q=0", available); got == "br" {
			t.Errorf("%q: br, which was refused", accept)
		}
		if got, ok := negotiate(accept+",*;q=0,br;q=0,gzip;q=0,identity;q=0", available); got != "" || ok {
			t.Errorf("%q: %q, though everything was refused", accept, got)
		}
	})
}
