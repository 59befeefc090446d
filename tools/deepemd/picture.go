package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
)

// readPicture reads and decodes a file.
func readPicture(path string) (*imaging.Image, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, readable(err)
	}
	picture, err := imaging.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return picture, nil
}

// listPictures returns the files of a folder and the folders below it in the
// order of their names, without hidden ones; of a file, the file.
func listPictures(root string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return readable(err)
		case path != root && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return filepath.SkipDir
			}
		case !entry.IsDir():
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}
