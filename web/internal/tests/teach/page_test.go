//go:build !js

package teach_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

func TestMain(m *testing.M) { testsite.Main(m) }

// studio is the studio in a browser, with what only the tests here do to it.
type studio struct{ *studiotest.Studio }

// open opens the studio in a browser of its own; see studiotest.Open.
func open(t *testing.T, opt browsertest.Options, scripts ...string) *studio {
	t.Helper()
	return &studio{studiotest.Open(t, opt, scripts...)}
}
