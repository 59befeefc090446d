//go:build !js

package keep_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// The element's example runs under the server's policy, and has its own style sheet.
func TestElementExampleUnderThePolicy(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Open(s.Origin + "/examples/element/")
	s.WaitFor(`document.querySelector("deep-emd").shadowRoot?.querySelector("[part=message]").textContent === ""`)
	s.Eval(`window.running = false; document.querySelector("deep-emd").engine.then(() => (running = true))`)
	s.WaitFor(`running`)
	if radius := browsertest.Eval[string](s.Browser, `getComputedStyle(document.querySelector("deep-emd")).borderRadius`); radius != "22px" {
		t.Errorf("the element's corners are %q, want the page's 22px", radius)
	}
	s.Quiet()
}
