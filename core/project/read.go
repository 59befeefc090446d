package project

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
)

// The entries of the archive, beside the pictures.
const (
	manifestEntry   = "manifest.json"
	embeddingsEntry = "embeddings.safetensors"
	embeddingsName  = "embeddings" // of the one tensor in it
)

const (
	maxManifest = 1 << 26
	maxPicture  = 1 << 28 // bytes of a picture's file
	maxEntries  = 2*MaxExamples + 100
	slack       = 1 << 16 // of the embeddings' header
)

// File is an open project file. It reads and checks its contents when it is asked
// for them.
type File struct {
	Manifest Manifest
	entries  map[string]*zip.File
}

// Read opens a project file of the given size. It reads the archive's directory
// and the manifest.
//
// # Errors
//
// Errors wrap ErrForeign, ErrNewer or ErrDamaged, except those of r.
func Read(r io.ReaderAt, size int64) (*File, error) {
	var magic [4]byte
	switch n, err := r.ReadAt(magic[:], 0); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case n < 4 || string(magic[:]) != "PK\x03\x04":
		return nil, fmt.Errorf("%w: choose a file that was saved by deepemd, *.deepemd", ErrForeign)
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, damaged("the archive cannot be read (%v), or is not all there", err)
	}
	if len(archive.File) > maxEntries {
		return nil, damaged("%d entries", len(archive.File))
	}
	f := &File{entries: make(map[string]*zip.File, len(archive.File))}
	for _, e := range archive.File {
		if f.entries[e.Name] != nil {
			return nil, damaged("two entries %.60q", e.Name)
		}
		f.entries[e.Name] = e
	}
	if f.entries[manifestEntry] == nil {
		return nil, fmt.Errorf("%w: the archive has no %s; choose a file that was saved by deepemd, *.deepemd", ErrForeign, manifestEntry)
	}
	text, err := f.read(manifestEntry, maxManifest)
	if err != nil {
		return nil, err
	}
	if f.Manifest, err = ParseManifest(text); err != nil {
		return nil, err
	}
	return f, nil
}

// ParseManifest reads and validates a manifest, and brings one of an earlier
// version up to date.
//
// Errors wrap ErrForeign, ErrNewer or ErrDamaged.
func ParseManifest(text []byte) (Manifest, error) {
	// A newer version may have changed the rest beyond recognition.
	var head struct {
		Format   string          `json:"format"`
		Version  int             `json:"version"`
		Settings json.RawMessage `json:"settings"` // of version 1
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return Manifest{}, damaged("%s: %v", manifestEntry, err)
	}
	m := Manifest{Format: head.Format, Version: head.Version, Kind: KindImage}
	if head.Format != Format || head.Version > Version {
		return Manifest{}, m.Validate()
	}
	m = Manifest{Method: method.Implied()} // a setting that is absent is the implied one
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, damaged("%s: %v", manifestEntry, err)
	}
	m.Method.Embedder = m.Method.Embedder.Complete()
	if m.Version == 1 {
		if err := m.upgrade(head.Settings); err != nil {
			return Manifest{}, err
		}
	}
	return m, m.Validate()
}

// Picture reads the picture of an example: the network's view of it, or the square
// that its crops were cut from. An example of features may have none: its Picture is
// "" then.
//
// Errors wrap ErrDamaged.
func (f *File) Picture(e Example) (*imaging.Image, error) {
	data, err := f.read(e.Picture, maxPicture)
	if err != nil {
		return nil, err
	}
	picture, err := imaging.Decode(data)
	if err != nil {
		return nil, damaged("%.60s: %v", e.Picture, err)
	}
	if picture.Width > maxSide || picture.Height > maxSide {
		return nil, damaged("%.60s has %d×%d pixels", e.Picture, picture.Width, picture.Height)
	}
	return picture, nil
}

// Embeddings reads the embeddings of all examples, class after class, each
// [Network.Nodes, Network.Channels]. It returns nil for a file without embeddings,
// unless it is one of features: others can be computed again.
//
// Errors wrap ErrDamaged.
func (f *File) Embeddings() ([][]float32, error) {
	network, n := f.Manifest.Network, f.Manifest.Examples()
	if network == nil || n == 0 || f.entries[embeddingsEntry] == nil && f.Manifest.Kind != KindFeatures {
		return nil, nil
	}
	size := network.Nodes * network.Channels
	data, err := f.read(embeddingsEntry, int64(n)*int64(size)*4+slack)
	if err != nil {
		return nil, err
	}
	file, err := weights.DecodeTensors(embeddingsEntry, data)
	if err != nil {
		return nil, damaged("%v", err)
	}
	all, err := file.Tensor(embeddingsName, n, network.Nodes, network.Channels)
	if err != nil {
		return nil, damaged("%v", err)
	}
	list := make([][]float32, n)
	for i := range list {
		list[i] = all.Data[i*size:][:size:size]
	}
	return list, nil
}

// read returns the content of an entry of at most so many bytes, and checks its
// checksum.
func (f *File) read(name string, most int64) ([]byte, error) {
	entry := f.entries[name]
	if entry == nil {
		return nil, damaged("it lacks %.60q", name)
	}
	if entry.UncompressedSize64 > uint64(most) {
		return nil, damaged("%.60s has %d bytes, more than %d", name, entry.UncompressedSize64, most)
	}
	r, err := entry.Open()
	if err != nil {
		return nil, damaged("%.60s: %v", name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, damaged("%.60s: %v", name, err)
	}
	return data, nil
}
