//go:build !js

package keep_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Links leave the studio: with a network for their page, without one for the browser's own message.
func TestLinksLeaveTheStudio(t *testing.T) {
	s := openReady(t, browsertest.Options{})
	s.kept()
	s.Click(`footer a[href="docs/"]`)
	s.WaitFor(`location.pathname === "/docs/" && !document.querySelector(".studio") && document.querySelector("h1")`)
	s.Revisit()
	s.offline()
	s.Click(`footer a[href="docs/"]`)
	s.WaitFor(`!document.querySelector(".studio")`)
}
