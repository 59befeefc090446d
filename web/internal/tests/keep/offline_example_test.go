//go:build !js

package keep_test

import (
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// The example's inline script and style run under the server's policy, which
// names them by their digests.
func TestPlainExampleUnderThePolicy(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Open(s.Origin + "/examples/plain/")
	s.WaitFor(`document.querySelector("#status").value.startsWith("Ready")`, 30*time.Second)
	if display := browsertest.Eval[string](s.Browser, `getComputedStyle(document.querySelector("form")).display`); display != "grid" {
		t.Errorf("the form is laid out as %q: the page's style sheet does not apply", display)
	}
	s.Quiet()
}

// So does the element, which brings its own style sheet.
func TestElementExampleUnderThePolicy(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Open(s.Origin + "/examples/element/")
	s.WaitFor(`document.querySelector("deep-emd").shadowRoot?.querySelector("[part=message]").textContent === ""`, 30*time.Second)
	s.Eval(`window.running = false; document.querySelector("deep-emd").engine.then(() => (running = true))`)
	s.WaitFor(`running`, 30*time.Second)
	if radius := browsertest.Eval[string](s.Browser, `getComputedStyle(document.querySelector("deep-emd")).borderRadius`); radius != "22px" {
		t.Errorf("the element's corners are %q, want the page's 22px", radius)
	}
	s.Quiet()
}
