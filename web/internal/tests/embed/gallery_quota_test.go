//go:build !js

package embed_test

import (
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// quota sets the page's free storage in bytes, or restores it for -1.
func (s *tab) quota(more float64) {
	s.T.Helper()
	limit := storage.OverrideQuotaForOriginParams{Origin: s.Origin}
	if more >= 0 {
		limit.QuotaSize = new(more + browsertest.Eval[float64](s.Browser, `navigator.storage.estimate().then(({ usage }) => usage)`))
	}
	require.Value(chromedp.Call(s.Context(), storage.OverrideQuotaForOrigin, limit))(s.T)
}
