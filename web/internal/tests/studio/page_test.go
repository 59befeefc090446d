//go:build !js

package studio_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

func TestMain(m *testing.M) { testsite.Main(m) }

// studio adds the helpers of this package to the studio.
type studio struct{ *studiotest.Studio }

// open opens the studio in a new browser; see studiotest.Open.
func open(t *testing.T, opt browsertest.Options, scripts ...string) *studio {
	t.Helper()
	return &studio{studiotest.Open(t, opt, scripts...)}
}
