package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestExportSite(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	for name, content := range map[string]string{
		"index.html":                     "<!DOCTYPE html>",
		"deepemd/networks.js":            "export const networks = {};",
		"weights/resnet12-s.safetensors": "default",
	} {
		path := filepath.Join(site, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	own := filepath.Join(dir, network.ResNet12PhotoFile)
	cmdtest.WriteText(t, own, string(network.ResNet12PhotoWeights()))
	broken := filepath.Join(dir, "broken.safetensors")
	require.NoError(t, os.WriteFile(broken, []byte("no weights"), 0o644))
	shared := filepath.Join(dir, "shared")
	cmdtest.WriteText(t, filepath.Join(shared, "cups.html"), "<p>cups")
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"as built", []string{"a"}, ""},
		{"again into the same folder", []string{"a"}, "not empty"},
		{"own weights", []string{"b", "--weights", own, "--piece", "2"}, ""},
		{"weights that are none", []string{"c", "--weights", broken}, "broken.safetensors"},
		{"weights that are missing", []string{"c", "--weights", "missing.safetensors"}, "is the path right?"},
		{"pieces too large", []string{"c", "--piece", "25"}, "--piece 25"},
		{"pieces of nothing", []string{"c", "--piece", "0"}, "--piece 0"},
		{"no site", []string{"c", "--dir", dir}, dir + ": not a built site: it has no index.html: build one with `make build`, or unpack the site archive of a release, and name its folder with --dir"},
		{"no pages", []string{"c", "--pages", filepath.Join(dir, "site", "deepemd")}, "shared pages"},
		{"pages that are missing", []string{"c", "--pages", "missing"}, "give an existing one"},
		{"pages", []string{"d", "--embed", "--pages", shared}, ""},
		{"weights in the program", []string{"e", "--weights", network.ResNet12XS}, ""},
		{"no folder", nil, "takes one folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"export-site", "--dir", site}, c.args...)
			if len(c.args) > 0 {
				args[3] = filepath.Join(dir, c.args[0])
			}
			_, err := cmdtest.Run(args...)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
		})
	}
	if cmdtest.ReadText(t, filepath.Join(dir, "e", "weights", network.ResNet12XSFile)) != string(network.ResNet12XSWeights()) {
		t.Error("the named weights were not exported")
	}
	info := require.Value(os.Stat(own))(t)
	want := int((info.Size() + 2<<20 - 1) / (2 << 20))
	if pieces, err := filepath.Glob(filepath.Join(dir, "b", "weights", network.ResNet12PhotoFile+".*")); err != nil || want < 2 || len(pieces) != want {
		t.Errorf("pieces %q (%v), want %d", pieces, err, want)
	}
	if cmdtest.ReadText(t, filepath.Join(dir, "d", "pages", "cups.html")) != "<p>cups" {
		t.Error("the page was not exported")
	}
	if headers := cmdtest.ReadText(t, filepath.Join(dir, "d", "_headers")); !strings.Contains(headers, "Access-Control-Allow-Origin: *") {
		t.Errorf("the headers open nothing to other origins:\n%s", headers)
	}
}
