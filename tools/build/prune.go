package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// prune removes the files that the previous build has written and this build has not, with their
// compressed forms, and compressed forms older than their files. Files from elsewhere stay.
func (s *folder) prune() error {
	list := s.tempPath("files.json")
	var before []string
	switch data, err := os.ReadFile(list); {
	case err == nil:
		if err := json.Unmarshal(data, &before); err != nil {
			return fmt.Errorf("%s: %w: remove it", list, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for _, name := range before {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		path := filepath.Join(s.out, filepath.FromSlash(name))
		for _, e := range append([]encoding{{}}, encodings...) {
			if s.written[name] && (e.ending == "" || newer(path+e.ending, path)) {
				continue
			}
			if err := os.Remove(path + e.ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	now, _ := json.MarshalIndent(slices.Sorted(maps.Keys(s.written)), "", "  ") // a list of texts
	return atomicfile.Replace(list, now)
}
