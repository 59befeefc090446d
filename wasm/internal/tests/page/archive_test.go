//go:build !js

package page_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// deflated packs an archive anew, compressed.
func deflated(t *testing.T, data []byte) []byte {
	t.Helper()
	return packed(t, data, zip.Deflate, func(_ string, content []byte) []byte { return content })
}

// repacked packs an archive anew with one entry changed, or without it.
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
		w, err := to.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func names(t *testing.T, data []byte) []string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range archive.File {
		list = append(list, e.Name)
	}
	return list
}

func entry(t *testing.T, data []byte, name string) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
