package server

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func TestContents(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       []string
	}{
		{"none", "<p>text</p>", nil},
		{"one", "<script>a()</script>", []string{"a()"}},
		{"attributes and case", "<SCRIPT type=module>\na()\n</Script>", []string{"\na()\n"}},
		{"two", "<script>a</script><script>b</script>", []string{"a", "b"}},
		{"text after it", "<script>a</script>b</p>", []string{"a"}},
		{"external", `<script src="x.js"></script>`, nil},
		{"other element", "<scripted>a</scripted>", nil},
		{"not closed", "<script>a", nil},
		{"cut short", "<script", nil},
		{"closes itself, but does not", "<script/>a()</script>", []string{"a()"}},
		{"in a comment", "<!-- <script>a</script> --><script>b</script>", []string{"b"}},
		{"in an attribute", `<p title="<script>a</script>"><script>b</script>`, []string{"b"}},
		{"in a field", "<textarea><script>a</script></textarea><script>b</script>", []string{"b"}},
		{"entities are none", "<script>a &amp;&amp; b</script>", []string{"a &amp;&amp; b"}},
		// Characters whose lower case has more bytes (Ⱥ), fewer (İ, K) or is another letter's.
		{"longer in lower case", strings.Repeat("Ⱥ", 99) + "<script>a()</script>", []string{"a()"}},
		{"shorter in lower case", strings.Repeat("İK", 99) + "<SCRIPT>a()</SCRIPT>", []string{"a()"}},
		{"not a script", "<ſcript>a</ſcript><script>b</script>", []string{"b"}},
		// Pages in invalid UTF-8, and browsers' interpretation.
		{"no UTF-8 before it", "." + strings.Repeat("\xff\xfe\xc3", 99) + "<script>a()</script>", []string{"a()"}},
		{"no UTF-8 in it", "<script>'\xe9t\xe9 \xf0\x9f\x98'</script>", []string{"'\ufffdt\ufffd \ufffd'"}},
		{"no UTF-8 in the tag", "<script \xff='\xff'>a()</script \xff>", []string{"a()"}},
		{"UTF-16", "\xff\xfe<\x00s\x00c\x00r\x00i\x00p\x00t\x00>\x00a\x00<\x00/\x00s\x00c\x00r\x00i\x00p\x00t\x00>\x00", []string{"a"}},
		{"ends of lines", "<script>a\r\nb\rc\n</script>", []string{"a\nb\nc\n"}},
		{"zero bytes", "<script>a\x00b</script>", []string{"a\ufffdb"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, b := range contents([]byte(c.page), "script") {
				got = append(got, string(b))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPagePolicyAllowsOnlyWhatIsWritten(t *testing.T) {
	page := []byte("<style>p{}</style><script>alert(1)</script>")
	got := pagePolicy(page)
	for _, want := range []string{
		"script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=' 'wasm-unsafe-eval';",
		"style-src 'self' 'sha256-",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("policy %q lacks %q", got, want)
		}
	}
	if again := pagePolicy(page, bytes.Repeat(page, 2)); again != got {
		t.Errorf("the policy of the same texts is %q, want %q", again, got)
	}
	if strings.Contains(got, "unsafe-inline") {
		t.Errorf("policy %q allows any inline text", got)
	}
}

// A page in invalid UTF-8 is served, and its scripts run.
func TestPageThatIsNoUTF8(t *testing.T) {
	page := []byte("<title>Caf\xe9 Ⱥ</title><SCRIPT>alert(1)</SCRIPT>\xff")
	h := require.Value(New(fstest.MapFS{"index.html": {Data: page}}, nil, false))(t)
	r := get(t, h, "/")
	if got, want := r.Header.Get("Content-Security-Policy"), "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"; !strings.Contains(got, want) {
		t.Errorf("policy %q lacks the digest of alert(1), %s", got, want)
	}
	if text(t, r) != string(page) {
		t.Error("the page came changed")
	}
}

// The policy of any page is the default one with digests in two positions.
func FuzzPolicy(f *testing.F) {
	digests := regexp.MustCompile(`( 'sha256-[A-Za-z0-9+/]{43}=')*`)
	f.Fuzz(func(t *testing.T, page []byte) {
		var got string
		bombs.Budget(t, 1<<20, 1024, len(page), func() { got = pagePolicy(page) })
		head, tail, _ := strings.Cut(policy, "script-src 'self'")
		middle, tail, _ := strings.Cut(tail, "style-src 'self'")
		for _, part := range []string{head + "script-src 'self'", middle + "style-src 'self'"} {
			rest, ok := strings.CutPrefix(got, part)
			if !ok {
				t.Fatalf("policy %q, want it to go on with %q", got, part)
			}
			got = rest[len(digests.FindString(rest)):]
		}
		if got != tail {
			t.Errorf("the policy ends with %q, want %q", got, tail)
		}
		scripts := contents(page, "script")
		for _, b := range scripts {
			if len(b) == 0 || !utf8.Valid(b) || bytes.ContainsAny(b, "\r\x00") {
				t.Errorf("%q is nothing that a browser sees", b)
			}
		}
		// A script at the end is found, unless an open element contains it.
		more := contents(append(bytes.Clone(page), "<script>own()</script>"...), "script")
		if len(more) < len(scripts) {
			t.Errorf("%d scripts, with one more after them %d", len(scripts), len(more))
		}
		first := contents(append([]byte("<script>own()</script>"), page...), "script")
		if len(first) == 0 || string(first[0]) != "own()" {
			t.Errorf("the first script of %q is not found", page)
		}
	})
}
