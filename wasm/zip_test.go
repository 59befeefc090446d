//go:build !js

package wasm_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestManyEntries: archives of more entries than 16 bits count pass from Go to JavaScript and
// back, and one with 64-bit lengths is read.
func TestManyEntries(t *testing.T) {
	page := nodetest.Start(t, `
		const { readZip, ZipWriter } = await import(ROOT + "wasm/npm/zip.js");
		async function answer({ file }) {
			const copy = new ZipWriter();
			for (const entry of (await readZip(new Blob([Buffer.from(file, "base64")]))).values()) await copy.add(entry.name, [await entry.bytes()]);
			return Buffer.from(await copy.finish("").arrayBuffer()).toString("base64");
		}`)
	for _, n := range []int{1, 70_000} {
		var file bytes.Buffer
		w := zip.NewWriter(&file)
		for i := range n {
			entry := require.Value(w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i)}))(t)
			require.Value(fmt.Fprint(entry, -i))(t)
		}
		require.NoError(t, w.Close())
		var back []byte
		if err := page.Ask(t, map[string][]byte{"file": file.Bytes()}, &back); err != nil {
			t.Fatalf("%d entries: %+v", n, err)
		}
		r := require.Value(zip.NewReader(bytes.NewReader(back), int64(len(back))))(t)
		if len(r.File) != n || r.File[n-1].Name != fmt.Sprint(n-1) {
			t.Errorf("%d entries become %d", n, len(r.File))
		}
		var content bytes.Buffer
		require.Value(content.ReadFrom(require.Value(r.File[n-1].Open())(t)))(t)
		if content.String() != fmt.Sprint(1-n) {
			t.Errorf("the last of %d entries holds %q", n, content.String())
		}
	}
}
