package data

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/trainer/data/internal/decoded"
	"github.com/deepemd/deepemd/trainer/format/artifact"
)

// Where decoded pictures may be kept; anything else is the path of a file or of a
// folder for one.
const (
	CacheAuto   = "auto"   // in memory when they take less than a quarter of it, else in a file
	CacheMemory = "memory" // in memory, up to half of it
	CacheFile   = "file"   // in a file in the person's folder for caches
	CacheNone   = "none"   // nowhere: pictures are decoded whenever they are asked for
)

// Cache says where decoded pictures are kept.
type Cache struct {
	Where   string   // CacheAuto and so on; empty for CacheAuto
	Classes []string // whose pictures; of others, none is kept in a file
	Threads int      // goroutines that decode; 0 for all cores
	// Progress is told how many pictures are written to a file; nil for nobody.
	Progress func(done, total int)
}

// otherwiseMemory is taken for the size of a memory that nobody tells, in bytes.
const otherwiseMemory = 4 << 30

// sampled is how many pictures are decoded to estimate how large all are.
const sampled = 32

// fileEnding ends the names of files of decoded pictures.
const fileEnding = ".pixels"

// UseCache makes the set keep decoded pictures, so that each is decoded once, and says
// in words where. In a file they are found again by the next run, as long as the
// set's files are the same. What pictures look like does not depend on where they
// are kept. A file that cannot be written or read is no error: it is said, and
// up to a quarter of the memory keeps pictures instead.
//
// # Errors
//
// The context's; a path that leads to a file of something else.
func (s *Set) UseCache(ctx context.Context, c Cache) (said string, err error) {
	var pictures []Picture
	for _, class := range c.Classes {
		pictures = append(pictures, s.pictures[class]...)
	}
	size := s.decodedSize(pictures)
	where, room := c.Where, Memory()
	if room == 0 {
		room = otherwiseMemory
	}
	if where == "" || where == CacheAuto {
		if where = CacheFile; size < room/4 {
			where = CacheMemory
		}
	}
	switch where {
	case CacheNone:
		return "decoded pictures are not kept", nil
	case CacheMemory:
		s.CacheInMemory(room / 2)
		if size > room/2 {
			return fmt.Sprintf("decoded pictures (about %s) are kept in memory, the first %s of them", artifact.Bytes(size), artifact.Bytes(room/2)), nil
		}
		return fmt.Sprintf("decoded pictures are kept in memory, about %s", artifact.Bytes(size)), nil
	}
	file, said, err := s.openDecoded(ctx, where, pictures, size, c)
	switch {
	case err == nil:
		s.keepFile(file, pictures)
		return said, nil
	case ctx.Err() != nil, errors.Is(err, decoded.ErrForeign):
		return "", err
	}
	s.CacheInMemory(room / 4)
	return fmt.Sprintf("%v; going on without that file, with up to %s of decoded pictures in memory", err, artifact.Bytes(room/4)), nil
}

// openDecoded opens the file of the decoded pictures, and builds it if need be.
func (s *Set) openDecoded(ctx context.Context, where string, pictures []Picture, size int64, c Cache) (*decoded.File, string, error) {
	path, err := s.decodedPath(where, c.Classes)
	if err != nil {
		return nil, "", err
	}
	of, err := s.fingerprint(pictures)
	if err != nil {
		return nil, "", err
	}
	file, err := decoded.Open(path, of)
	if err == nil {
		return file, fmt.Sprintf("decoded pictures are read from %s, %s", path, artifact.Bytes(file.Size())), nil
	}
	why := "written to"
	switch {
	case errors.Is(err, decoded.ErrStale):
		why = "written again, because the pictures have changed, to"
	case errors.Is(err, decoded.ErrDamaged):
		why = "written again, because the file was damaged, to"
	case errors.Is(err, decoded.ErrForeign):
		return nil, "", fmt.Errorf("%w: name another file for the decoded pictures", err)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, "", err
	}
	b := decoded.Builder{Expected: size, Threads: c.Threads, Progress: c.Progress}
	absent, err := b.Build(ctx, path, of, len(pictures), func(i int) (*imaging.Image, error) { return s.read(pictures[i].Name) })
	if err != nil {
		return nil, "", err
	}
	if file, err = decoded.Open(path, of); err != nil {
		return nil, "", err
	}
	said := fmt.Sprintf("decoded pictures were %s %s, %s", why, path, artifact.Bytes(file.Size()))
	if absent > 0 {
		said += fmt.Sprintf(" (%d of %d cannot be decoded)", absent, len(pictures))
	}
	return file, said, nil
}

// keepFile makes the set read pictures from a file, in which they come in this
// order.
func (s *Set) keepFile(file *decoded.File, pictures []Picture) {
	s.decoded, s.places = file, make(map[string]int, len(pictures))
	for i, p := range pictures {
		s.places[p.Name] = i
	}
}

// decodedSize estimates how many bytes the pixels of pictures take, from some of
// them.
func (s *Set) decodedSize(pictures []Picture) int64 {
	n, size, count := len(pictures), 0, 0
	for i := range min(sampled, n) {
		if img, err := s.read(pictures[i*n/min(sampled, n)].Name); err == nil {
			size += len(img.Pix)
			count++
		}
	}
	if count == 0 {
		return 0
	}
	return int64(float64(size) / float64(count) * float64(n))
}

// decodedPath is the path of the file of decoded pictures of some classes. Its name
// tells the set; another place of the set, other classes or another bound of their
// size give another file.
func (s *Set) decodedPath(where string, classes []string) (string, error) {
	if where != CacheFile {
		info, err := os.Stat(where)
		if (err != nil || !info.IsDir()) && !strings.HasSuffix(where, string(filepath.Separator)) {
			return where, nil
		}
	} else {
		caches, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no folder for caches (%w): name a file for the decoded pictures", err)
		}
		where = filepath.Join(caches, "deepemd")
	}
	place, err := filepath.Abs(s.path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q", place, s.maxSide, classes)
	name := strings.TrimSuffix(s.name, filepath.Ext(s.name))
	return filepath.Join(where, name+"-"+hex.EncodeToString(h.Sum(nil)[:6])+fileEnding), nil
}
