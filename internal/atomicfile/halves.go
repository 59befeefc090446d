package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// half is the name of a file that Write has begun: the name that it will have is
// before the number.
var half = regexp.MustCompile(`^(.+)\.[0-9a-f]{8}\.tmp$`)

// RemoveAbandoned removes from a folder that several write into what calls of Write began
// and nobody has written to for a day: their processes were killed.
//
// # Errors
//
// Those of reading the folder and of removing.
func RemoveAbandoned(dir string) error { return removeHalves(dir, "", abandoned) }

// abandoned is how long a half-written file lies untouched when its writer must have
// ended: no writer pauses for so long.
const abandoned = 24 * time.Hour

// removeHalves removes the temporary files of killed calls of Write from a folder, of the
// file of one name or of all for an empty name, if nobody has written to them for a while.
func removeHalves(dir, name string, untouched time.Duration) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		match := half.FindStringSubmatch(entry.Name())
		if match == nil || !entry.Type().IsRegular() || name != "" && match[1] != name {
			continue
		}
		if info, gone := entry.Info(); untouched > 0 && (gone != nil || time.Since(info.ModTime()) < untouched) {
			continue
		}
		if removed := os.Remove(filepath.Join(dir, entry.Name())); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}
