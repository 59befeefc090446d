//go:build !js

package studiotest

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/storage"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/require"
)

// SharedPage writes the shared page of contents with a project to a path, by default in a new
// folder. The engine and the default network for the project are added.
func SharedPage(t *testing.T, path string, contents publish.Contents) string {
	t.Helper()
	read := func(name string) []byte {
		return require.Value(os.ReadFile(filepath.Join(SiteFolder(t), filepath.FromSlash(name))))(t)
	}
	file := require.Value(archive.Read(bytes.NewReader(contents.Project), int64(len(contents.Project))))(t)
	contents.Title, contents.Engine, contents.Weights = "Shared", read(publish.Engine(file.Manifest.Kind)), network.ResNet12PhotoWeights()
	if file.Manifest.Kind == project.KindSound {
		contents.Weights = network.ResNet12SoundWeights()
	}
	page := require.Value(publish.Page(read(publish.Template), contents))(t)
	path = cmp.Or(path, filepath.Join(t.TempDir(), "shared.html"))
	require.NoError(t, os.WriteFile(path, page, 0o600))
	return path
}

// OpenPage opens any page in a new browser.
func OpenPage(t *testing.T, address string, opt browsertest.Options) *Studio {
	t.Helper()
	s := &Studio{Browser: browsertest.Start(t, opt), T: t, Origin: address}
	s.Open(address)
	return s
}

// Quota sets the page's free storage in bytes, or restores it for -1.
func (s *Studio) Quota(more float64) {
	s.T.Helper()
	limit := storage.OverrideQuotaForOriginParams{Origin: s.Origin}
	if more >= 0 {
		limit.QuotaSize = new(more + browsertest.Eval[float64](s.Browser, `navigator.storage.estimate().then(({ usage }) => usage)`))
	}
	browsertest.Call(s.Browser, storage.OverrideQuotaForOrigin, limit)
}
