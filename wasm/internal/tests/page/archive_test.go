//go:build !js

package page_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// deflated returns an archive with compressed entries.
func deflated(t *testing.T, data []byte) []byte {
	t.Helper()
	return packed(t, data, zip.Deflate, func(_ string, content []byte) []byte { return content })
}

// repacked returns an archive with one entry changed or removed.
func repacked(t *testing.T, data []byte, entry string, change func([]byte) []byte) []byte {
	t.Helper()
	return packed(t, data, zip.Store, func(name string, content []byte) []byte {
		switch {
		case name != entry:
			return content
		case change == nil:
			return nil
		}
		changed := change(content)
		if bytes.Equal(changed, content) {
			t.Fatalf("%s was not changed", entry)
		}
		return changed
	})
}

func packed(t *testing.T, data []byte, method uint16, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	to := zip.NewWriter(&buf)
	for _, name := range names(t, data) {
		content := change(name, entry(t, data, name))
		if content == nil {
			continue
		}
		w := require.Value(to.CreateHeader(&zip.FileHeader{Name: name, Method: method}))(t)
		require.Value(w.Write(content))(t)
	}
	require.NoError(t, to.Close())
	return buf.Bytes()
}

func names(t *testing.T, data []byte) []string {
	t.Helper()
	archive := require.Value(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	var list []string
	for _, e := range archive.File {
		list = append(list, e.Name)
	}
	return list
}

func entry(t *testing.T, data []byte, name string) []byte {
	t.Helper()
	archive := require.Value(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	file := require.Value(archive.Open(name))(t)
	defer file.Close()
	content := require.Value(io.ReadAll(file))(t)
	return content
}
