//go:build !js

package keep_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// quota gives the page so many bytes more than it has, or as many as usual for -1.
func (s *studio) quota(more float64) {
	s.T.Helper()
	limit := storage.OverrideQuotaForOriginParams{Origin: s.Origin}
	if more >= 0 {
		limit.QuotaSize = new(more + browsertest.Eval[float64](s.Browser, `navigator.storage.estimate().then(({ usage }) => usage)`))
	}
	require.Value(chromedp.Call(s.Context(), storage.OverrideQuotaForOrigin, limit))(s.T)
}

// fill adds examples, one by one, until the page says that they cannot be kept, and returns
// how many were kept before.
func (s *studio) fill() (kept int) {
	s.T.Helper()
	for range 40 {
		kept = s.Count(".thumbnail")
		s.Drop(studiotest.Card(1), studiotest.PictureFile(s.T, "more.jpg", studiotest.Red))
		s.WaitCount(".thumbnail", kept+1)
		s.WaitFor(`document.querySelector(".message.warning") || document.querySelector("#kept.saved")?.innerText.includes("Saved")`, 20*time.Second)
		if s.Count(".message.warning") == 0 {
			continue
		}
		for _, want := range []string{"The last changes are not saved", "There is no space left: delete projects or examples", "save the project as a file"} {
			if got := s.Text(".message.warning"); !strings.Contains(got, want) {
				s.T.Errorf("the page says %q, want it to mention %q", got, want)
			}
		}
		if s.Count("#kept.saved") > 0 {
			s.T.Error("it also says that all is saved")
		}
		return kept
	}
	s.T.Fatal("40 examples fit where there is no room for 20")
	return 0
}

// keptAgain tries again until the project is kept: the browser looks only now and then how
// much room there is.
func (s *studio) keptAgain() {
	s.T.Helper()
	for end := time.Now().Add(3 * time.Minute); s.Count("#kept.saved") == 0; time.Sleep(2 * time.Second) {
		if time.Now().After(end) {
			s.T.Fatalf("there is room for 3 minutes, and the page still says %q", s.Text(".message.warning"))
		}
		s.Eval(`document.querySelector(".message.warning .plain")?.click()`)
	}
	s.IsKept()
}

// A browser that gives no more room costs nothing that was kept before. The page says so
// with the remedy, keeps again once examples were deleted or there is room, and then has
// everything.
func TestStorageIsFull(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	s.kept() // the page itself, in the same room
	// Chromium looks how much there is when the page first writes, and then every half a
	// minute. An example takes 53 kB.
	s.quota(700_000)
	s.teach()
	s.IsKept()

	s.fill()
	s.Shot("storage-full")
	s.Click("#undo") // what does not fit is deleted
	s.quota(20_000)  // too little for an example, and enough for the names of those that are left
	s.keptAgain()
	s.WaitCount(".message", 0)
	kept, before := s.Count(".thumbnail"), s.exact()

	more := s.fill()
	s.Revisit()
	s.WaitCount(".thumbnail", more)
	if after := s.exact(); more == kept && !same(before, after, 1e-6) {
		t.Errorf("scores %v, and %v of what was kept before there was no room", before, after)
	}

	kept = 1 + s.fill()
	taught := s.exact()
	s.quota(-1)
	s.keptAgain()
	s.WaitCount(".message", 0)
	s.Revisit()
	s.WaitCount(".thumbnail", kept)
	if after := s.exact(); !same(taught, after, 1e-6) {
		t.Errorf("scores %v, and %v of what was kept once there was room", taught, after)
	}
	t.Logf("the storage was full 3 times; %d examples, none lost that was kept, and all once there was room", kept)
	s.Quiet()
}
