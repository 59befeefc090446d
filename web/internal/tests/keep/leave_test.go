//go:build !js

package keep_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// The last change is saved though the user leaves or closes the page at once.
func TestLastChangeIsSaved(t *testing.T) {
	s := openReady(t, browsertest.Options{})
	s.teach()
	s.IsKept()
	rename := func(name, then string) {
		s.Eval(fmt.Sprintf(`(() => {
			const field = document.querySelector("input.name");
			field.value = %q;
			field.dispatchEvent(new Event("change", { bubbles: true }));
			%s;
		})()`, name, then))
	}
	for i := range 5 {
		name := fmt.Sprint("left ", i)
		rename(name, `location.assign("docs/")`)
		s.WaitFor(`location.pathname.endsWith("/docs/")`)
		s.Revisit()
		if got := browsertest.Eval[string](s.Browser, `document.querySelector("input.name").value`); got != name {
			t.Errorf("the page was left: the name is %q, want %q", got, name)
		}
	}
	for i := range 5 {
		name := fmt.Sprint("closed ", i)
		rename(name, "")
		closed := s
		s = s.tab()
		browsertest.Call(closed.Browser, page.Close, cdp.Empty{})
		s.Revisit()
		if got := browsertest.Eval[string](s.Browser, `document.querySelector("input.name").value`); got != name {
			t.Errorf("the tab was closed: the name is %q, want %q", got, name)
		}
	}
	s.Quiet()
}
