package main

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

type encoding struct {
	ending string
	writer func(w io.Writer, release bool) io.WriteCloser
}

// encodings are the compressed forms, the best first.
var encodings = []encoding{
	{".br", func(w io.Writer, release bool) io.WriteCloser {
		// The engine is larger than the usual 4 MB window.
		options := brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}
		if !release {
			options.Quality = 9 // 10% larger, in an eighth of the time
		}
		return brotli.NewWriterOptions(w, options)
	}},
	{".gz", func(w io.Writer, _ bool) io.WriteCloser {
		z, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // the level is valid
		return z
	}},
}

// shrinks are the endings of files worth compressing. Weights compress because their numbers use only
// part of each byte (see backbone.WithIntegerFilters); images do not.
var shrinks = []string{".wasm", ".safetensors", ".js", ".ts", ".css", ".html", ".svg", ".json", ".txt", ".webmanifest"}

// compressAll writes the compressed forms of every file that shrinks, unless they are newer than the
// file. For a release it writes all of them, with the highest compression.
func compressAll(root string, atOnce int, release bool) error {
	var group errgroup.Group
	group.SetLimit(atOnce)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !hasEnding(entry.Name(), shrinks) {
			return err
		}
		for _, e := range encodings {
			if release || !newer(path+e.ending, path) {
				group.Go(func() error { return compressFile(path, e, release) })
			}
		}
		return nil
	})
	return errors.Join(err, group.Wait())
}

func compressFile(path string, e encoding, release bool) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return atomicfile.Write(path+e.ending, func(w io.Writer) error { return e.compress(w, data, release) })
}

func (e encoding) compress(w io.Writer, data []byte, release bool) error {
	z := e.writer(w, release)
	_, err := z.Write(data)
	return errors.Join(err, z.Close())
}

// newer reports whether file a exists and is not older than b.
func newer(a, b string) bool {
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && !ia.ModTime().Before(ib.ModTime())
}

// original returns the name of the file from which a compressed one was made, and "" for other files.
func original(name string) string {
	for _, e := range encodings {
		if plain, ok := strings.CutSuffix(name, e.ending); ok && hasEnding(plain, shrinks) {
			return plain
		}
	}
	return ""
}
