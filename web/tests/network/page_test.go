package network_test

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

// taught opens the studio with seven teapots and seven koalas.
func taught(t *testing.T) *studio {
	t.Helper()
	s := open(t, browsertest.Options{})
	s.Ready()
	s.Name(1, "Teapot")
	s.Name(2, "Koala")
	s.Give(1, studiotest.Photographs(t, "n04398044", 0, 7)...)
	s.Give(2, studiotest.Photographs(t, "n01882714", 0, 7)...)
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 7)
	s.WaitCount(studiotest.Card(2)+" .thumbnail", 7)
	return s
}
