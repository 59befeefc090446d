package web_test

import (
	"testing"
	"time"

	"deepemd/web/browsertest"
)

// The example's inline script and style run under the server's policy, which
// names them by their digests.
func TestPlainExampleUnderThePolicy(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Open(s.origin + "/examples/plain/")
	s.WaitFor(`document.querySelector("#status").value.startsWith("Ready")`, 30*time.Second)
	if display := browsertest.Eval[string](s.Browser, `getComputedStyle(document.querySelector("form")).display`); display != "grid" {
		t.Errorf("the form is laid out as %q: the page's style sheet does not apply", display)
	}
	s.quiet()
}
