// Package archive reads and writes project files: zip archives named *.deepemd with the manifest of
// package project, the pictures as the network saw them, and their local embeddings with the
// network that made them.
//
// Save and Open convert between a learner and a file. Write and Read process the file only. All
// work on bytes without an operating system. Pages use wasm/npm/project.js, because this package
// would enlarge the engine by an eighth. Tests compare the two.
package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/filekind"
)

// Entries of the archive, besides pictures.
const (
	manifestEntry   = "manifest.json"
	embeddingsEntry = "embeddings.safetensors"
	embeddingsName  = "embeddings" // the only tensor
)

const (
	maxManifest = 1 << 25
	maxPicture  = 1 << 28 // bytes of a picture file
	maxEntries  = 2*project.MaxExamples + 100
	slack       = 1 << 16 // for the header of the embeddings
)

// Limits of a file's contents, relative to its size and absolute. Zeros and uniform pictures
// compress a thousandfold, but not a complete project.
const (
	freeBytes     = 1 << 26 // unpacked, all entries
	bytesPerByte  = 32
	freePixels    = 1 << 25 // all pictures: 4,700 of 84×84
	pixelsPerByte = 32      // drawn characters have 20, photographs less than 1
)

// maxDeflate is the maximum expansion factor of deflate.
const maxDeflate = 1032

// File is an open project file. It reads and checks contents on demand.
type File struct {
	Manifest project.Manifest
	// Progress, unless nil, is called by Open before each example. Its error ends Open. With another network
	// than the file's, Open embeds all examples, which can take minutes.
	Progress func(done, total int) error

	entries map[string]*zip.File

	mu     sync.Mutex
	pixels int64          // that may still be decoded
	seen   map[string]int // of decoded pictures, by entry
}

// Read opens a project file of the given size. It reads the archive's directory and the manifest.
//
// # Errors
//
// Errors wrap project.ErrForeign, ErrNewer or ErrDamaged, except errors of r.
func Read(r io.ReaderAt, size int64) (*File, error) {
	var head [32]byte
	switch n, err := r.ReadAt(head[:], 0); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case !bytes.HasPrefix(head[:n], []byte("PK\x03\x04")):
		return nil, fmt.Errorf("%w%s", project.ErrForeign, filekind.Instead(head[:n], "choose a file that was saved by deepemd, *.deepemd"))
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, project.Damaged("the archive is damaged or incomplete (%v)", err)
	}
	if !exact(r, size, archive.Comment) {
		return nil, project.Damaged("the archive continues after its end, or its directory is not where it should be")
	}
	if len(archive.File) > maxEntries {
		return nil, project.Damaged("too many entries, %d", len(archive.File))
	}
	f := &File{entries: make(map[string]*zip.File, len(archive.File)), pixels: freePixels + pixelsPerByte*size, seen: map[string]int{}}
	packed, unpacked := uint64(size), freeBytes+bytesPerByte*uint64(size)
	for _, e := range archive.File {
		if e.CompressedSize64 > packed {
			return nil, project.Damaged("its entries overlap: they have more bytes than the file")
		}
		if e.UncompressedSize64 > maxDeflate*e.CompressedSize64 {
			return nil, project.Damaged("%.60q claims that %d bytes unpack to %d", e.Name, e.CompressedSize64, e.UncompressedSize64)
		}
		if e.UncompressedSize64 > unpacked {
			return nil, project.Damaged("its %d bytes would unpack to more than %d MB", size, (freeBytes+bytesPerByte*uint64(size))>>20)
		}
		packed -= e.CompressedSize64
		unpacked -= e.UncompressedSize64
		if f.entries[e.Name] != nil {
			return nil, project.Damaged("two entries %.60q", e.Name)
		}
		f.entries[e.Name] = e
	}
	if f.entries[manifestEntry] == nil {
		return nil, fmt.Errorf("%w: the archive has no %s; choose a file that was saved by deepemd, *.deepemd", project.ErrForeign, manifestEntry)
	}
	text, err := f.read(manifestEntry, maxManifest)
	if err != nil {
		return nil, err
	}
	if f.Manifest, err = project.ParseManifest(text); err != nil {
		return nil, err
	}
	return f, nil
}

// exact reports whether an archive ends with its directory, the end record and the comment.
// Otherwise, zip.NewReader guesses where it begins, and other readers may find other entries.
func exact(r io.ReaderAt, size int64, comment string) bool {
	var tail [98]byte // ZIP64's end record and locator, end record
	at := size - int64(len(comment)) - int64(len(tail))
	if n, _ := r.ReadAt(tail[:], at); n < len(tail) {
		return false
	}
	le, end := binary.LittleEndian, tail[76:]
	count, length, offset := le.Uint16(end[10:]), uint64(le.Uint32(end[12:])), uint64(le.Uint32(end[16:]))
	if count == 1<<16-1 || length == 1<<32-1 || offset == 1<<32-1 {
		locator := le.AppendUint32(le.AppendUint64([]byte("PK\x06\x07\x00\x00\x00\x00"), uint64(at)), 1)
		return string(end[:4]) == "PK\x05\x06" && bytes.Equal(tail[56:76], locator) && le.Uint64(tail[40:])+le.Uint64(tail[48:]) == uint64(at)
	}
	return string(end[:4]) == "PK\x05\x06" && length+offset == uint64(at)+76
}

// Picture reads the picture of an example: the network's view, or the square that crops were cut
// from. An example of features may have none; its Picture is "".
//
// Errors wrap project.ErrDamaged: an invalid picture, or too many pixels for a file of this size.
func (f *File) Picture(e project.Example) (*imaging.Image, error) {
	data, err := f.read(e.Picture, maxPicture)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(string(data[:min(4, len(data))]), "\x89PNG") {
		return nil, project.Damaged("%.60s is not a PNG", e.Picture)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	left := f.pixels + int64(f.seen[e.Picture])
	picture, err := imaging.DecodeWithin(data, int(min(left, project.MaxSide*project.MaxSide)))
	if err != nil && errors.Is(err, imaging.ErrTooLarge) && left < project.MaxSide*project.MaxSide {
		return nil, project.Damaged("its pictures have more pixels than a file of its size should (%.60s: %v)", e.Picture, err)
	}
	if err != nil {
		return nil, project.Damaged("%.60s: %v", e.Picture, err)
	}
	if picture.Width > project.MaxSide || picture.Height > project.MaxSide {
		return nil, project.Damaged("%.60s has %d×%d pixels", e.Picture, picture.Width, picture.Height)
	}
	f.seen[e.Picture] = picture.Width * picture.Height
	f.pixels = left - int64(f.seen[e.Picture])
	return picture, nil
}

// Embeddings reads the embeddings of all examples in the order of classes, each
// [project.Network.Nodes, project.Network.Channels]. It returns nil for a file without embeddings,
// except for features, which cannot be computed again.
//
// Errors wrap project.ErrDamaged, also for values that are not finite.
func (f *File) Embeddings() ([][]float32, error) {
	network, n := f.Manifest.Network, f.Manifest.Examples()
	if network == nil || n == 0 || f.entries[embeddingsEntry] == nil && f.Manifest.Kind != project.KindFeatures {
		return nil, nil
	}
	size := network.Nodes * network.Channels
	data, err := f.read(embeddingsEntry, int64(n)*int64(size)*4+slack)
	if err != nil {
		return nil, err
	}
	file, err := weights.DecodeTensors(embeddingsEntry, data)
	if err != nil {
		return nil, project.Damaged("%v", err)
	}
	all, err := file.Tensor(embeddingsName, n, network.Nodes, network.Channels)
	if err != nil {
		return nil, project.Damaged("%v", err)
	}
	list := make([][]float32, n)
	for i := range list {
		list[i] = all.Data[i*size:][:size:size]
	}
	return list, nil
}

// read returns the content of an entry of at most the given size, and checks its checksum.
func (f *File) read(name string, most int64) ([]byte, error) {
	entry := f.entries[name]
	if entry == nil {
		return nil, project.Damaged("it lacks %.60q", name)
	}
	size := entry.UncompressedSize64
	if size > uint64(most) {
		return nil, project.Damaged("%.60s has %d bytes, more than %d", name, size, most)
	}
	r, err := entry.Open()
	if err != nil {
		return nil, project.Damaged("%.60s: %v", name, err)
	}
	defer r.Close()
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, project.Damaged("%.60s: %v", name, err)
	}
	// The zip reader checks the checksum after the last byte.
	if n, err := r.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return nil, project.Damaged("%.60s has a wrong checksum (%v)", name, err)
	}
	return data, nil
}
