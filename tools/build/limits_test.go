package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// limits are the maximum download sizes of programs in bytes, with brotli. Quality 9, which is quick,
// gives an eighth more than a release, and varies by 6 kB with the order of functions.
var limits = map[string]int{
	"deepemd.wasm":         943_000, // in a release 816 kB; on the wire 0.90 MB is the promise
	"deepemd-sound.wasm":   1_003_000,
	"deepemd-gallery.wasm": 675_000, // in a release 581 kB; loaded when a page opens a gallery
	"deepemd-solver.wasm":  372_000, // in a release 322 kB; 0.45 MB is the promise
	"app.wasm":             1_412_000,
}

// TestProgramsStaySmall keeps downloads from growing unseen. Load new code on demand, or remove other
// code: go list -deps and go build -ldflags=-dumpdep list the contents of a program.
func TestProgramsStaySmall(t *testing.T) {
	root := require.Value(moduleRoot())(t)
	s := &folder{root: root, out: filepath.Join(t.TempDir(), "site")}
	modfile := require.Value(slimGoApp(root))(t)
	for _, p := range append(kitPrograms[:len(kitPrograms):len(kitPrograms)], studioProgram(modfile)) {
		limit, ok := limits[p.file]
		if !ok {
			t.Errorf("%s has no limit: write one down", p.file)
			continue
		}
		require.NoError(t, s.goBuild(p, p.file))
		data := require.Value(os.ReadFile(filepath.Join(s.out, p.file)))(t)
		var small bytes.Buffer
		require.NoError(t, encodings[0].compress(&small, data, false))
		t.Logf("%s: %d bytes, %d on the wire", p.file, len(data), small.Len())
		if small.Len() > limit {
			t.Errorf("%s has %d bytes on the wire, more than %d: go build -ldflags=-dumpdep lists what it links", p.file, small.Len(), limit)
		}
	}
}

// TestNetworksStaySmall keeps the downloads of networks from growing unseen: 1.35 MB in a release, which
// compresses an eleventh better.
func TestNetworksStaySmall(t *testing.T) {
	const limit = 1_475_000
	for _, n := range slices.Concat(networks, further) {
		var wire bytes.Buffer
		require.NoError(t, encodings[0].compress(&wire, n.file, false))
		t.Logf("%s: %d bytes, %d on the wire", n.name, len(n.file), wire.Len())
		if wire.Len() > limit {
			t.Errorf("%s has %d bytes on the wire, more than %d: export it with fewer bits", n.name, wire.Len(), limit)
		}
	}
}
