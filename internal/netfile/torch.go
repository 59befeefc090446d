package netfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/nlpodyssey/gopickle/types"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// content returns the content of a storage that a file's pickle refers to, little endian. It is called
// once for each.
type content func(s *storage) ([]byte, error)

// LoadTorch reads the state dict of a .pth file: the entry "params", "state_dict" or "model" of the
// saved value, or else the value itself. It removes the prefix "module." of data-parallel training
// from keys and converts values to float32. It omits integer tensors, such as batch normalization's
// num_batches_tracked. Every error starts with name.
//
// # Errors
//
// Files of other formats, damaged files, pickles with anything but tensors and plain containers,
// files without a state dict, entries that are not tensors, NaN and infinite values.
func LoadTorch(name string, data []byte) (tensors map[string]*tensor.Tensor, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	root, bytesOf, err := open(data)
	if err != nil {
		return nil, err
	}
	state, err := stateDict(root)
	if err != nil {
		return nil, err
	}
	return materialize(bytesOf, state)
}

// open returns the saved value and the content of its storages.
func open(data []byte) (root any, bytesOf content, err error) {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return openZip(data)
	case bytes.HasPrefix(data, legacyMagic):
		return openLegacy(data)
	case bytes.HasPrefix(data, []byte("<")):
		return nil, nil, errors.New("this is a web page, not a PyTorch file: is the address right?")
	}
	return nil, nil, errors.New("not one of PyTorch's file formats: was it written by torch.save?")
}

// maxElements limits all tensors of a file together, to ten times a full-width ResNet-12 with
// twelve million.
const maxElements = 1 << 27

func materialize(bytesOf content, state map[string]*view) (map[string]*tensor.Tensor, error) {
	tensors := make(map[string]*tensor.Tensor, len(state))
	total, loaded := 0, map[*storage][]byte{}
	for _, name := range slices.Sorted(maps.Keys(state)) {
		v := state[name]
		if v.storage.kind.integer {
			continue
		}
		n, err := v.elements()
		if err == nil {
			if total += n; total > maxElements {
				err = fmt.Errorf("more than %d values in the file: not a supported network", maxElements)
			}
		}
		raw, isRead := loaded[v.storage]
		if err == nil && !isRead {
			raw, err = bytesOf(v.storage)
			loaded[v.storage] = raw
		}
		var t *tensor.Tensor
		if err == nil {
			t = v.read(raw)
			err = weights.CheckFinite(t)
		}
		if err != nil {
			return nil, fmt.Errorf("tensor %.80s: %w", name, err)
		}
		tensors[name] = t
	}
	if len(tensors) == 0 {
		return nil, errors.New("the state dict holds no floating-point tensor")
	}
	return tensors, nil
}

// zipFile is the container since PyTorch 1.6: an archive of one folder with data.pkl and the
// storages data/0, data/1 …, without compression.
type zipFile struct {
	entries map[string]*zip.File // by path
	folder  string               // "archive/"
	budget  int                  // remaining bytes for entries that do not overlap
}

func openZip(data []byte) (root any, bytesOf content, err error) {
	z, err := newZipFile(data)
	if err != nil {
		return nil, nil, err
	}
	pickle, err := z.read(z.entries[z.folder+"data.pkl"], maxPickle)
	if err != nil {
		return nil, nil, err
	}
	n, err := scan(pickle)
	if err != nil {
		return nil, nil, err
	}
	root, _, err = unpickle(pickle[:n])
	return root, z.bytes, err
}

func newZipFile(data []byte) (*zipFile, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("unreadable zip archive (%w): is the download complete?", err)
	}
	z := &zipFile{entries: make(map[string]*zip.File, len(archive.File)), budget: len(data)}
	found := false
	for _, f := range archive.File {
		if _, path, _ := strings.Cut(f.Name, "/"); path == "constants.pkl" || strings.HasPrefix(path, "code/") {
			return nil, errors.New(`this is a TorchScript module: save its weights in Python with torch.save(torch.jit.load("model.pt").state_dict(), "weights.pth")`)
		}
		if f.Method != zip.Store || f.UncompressedSize64 > uint64(len(data)) {
			return nil, fmt.Errorf("zip entry %.60s is compressed, which PyTorch never does: was it written by torch.save?", f.Name)
		}
		z.entries[f.Name] = f
		if folder, ok := strings.CutSuffix(f.Name, "data.pkl"); ok && !found {
			z.folder, found = folder, true
		}
	}
	if !found {
		return nil, errors.New("a zip archive without data.pkl: was it written by torch.save?")
	}
	if f := z.entries[z.folder+"byteorder"]; f != nil {
		if order, err := z.read(f, 16); err != nil || string(order) != "little" {
			return nil, fmt.Errorf("byte order %q, want little: save the file on a little-endian machine", order)
		}
	}
	return z, nil
}

func (z *zipFile) bytes(s *storage) ([]byte, error) {
	want, err := s.byteSize()
	if err != nil {
		return nil, err
	}
	f := z.entries[z.folder+"data/"+s.key]
	if f == nil {
		return nil, fmt.Errorf("the archive has no storage %.20q: is the file complete?", s.key)
	}
	raw, err := z.read(f, want)
	if err == nil && len(raw) != want {
		err = fmt.Errorf("storage %.20q has %d bytes, want %d: the file is damaged", s.key, len(raw), want)
	}
	return raw, err
}

// read returns an entry of at most limit bytes. Each entry is read once.
func (z *zipFile) read(f *zip.File, limit int) ([]byte, error) {
	if f.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("zip entry %.60s has %d bytes, want at most %d: the file is damaged", f.Name, f.UncompressedSize64, limit)
	}
	if z.budget -= int(f.UncompressedSize64); z.budget < 0 {
		return nil, fmt.Errorf("zip entry %.60s overlaps others: the file is damaged", f.Name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("zip entry %.60s: %w", f.Name, err)
	}
	defer r.Close()
	data := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("zip entry %.60s: %w", f.Name, err)
	}
	if _, err := r.Read(make([]byte, 1)); err != io.EOF { // the reader verifies the checksum at the end
		return nil, fmt.Errorf("zip entry %.60s: %w: the file is damaged", f.Name, err)
	}
	return data, nil
}

// legacyMagic is the start of a file before PyTorch 1.6: the pickle of its magic number, protocol
// 2.
var legacyMagic = []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.")

// openLegacy opens a file before PyTorch 1.6: the pickles of the magic number, the protocol version,
// machine facts, the value and the list of storage keys, then each storage: a count (int64) and its
// elements. Only the value determines the size of an element.
func openLegacy(data []byte) (root any, bytesOf content, err error) {
	data = data[len(legacyMagic):]
	var parts [4][]byte // version, machine, value, keys
	for i := range parts {
		n, err := scan(data[:min(len(data), maxPickle)])
		if err != nil {
			return nil, nil, err
		}
		parts[i], data = data[:n], data[n:]
	}
	machine, _, err := unpickle(parts[1])
	if err != nil {
		return nil, nil, err
	}
	if entries, ok := items(machine); ok {
		for _, e := range entries {
			if e.key == "little_endian" && e.value != true {
				return nil, nil, errors.New("big-endian storages: save the file on a little-endian machine")
			}
		}
	}
	list, _, err := unpickle(parts[3])
	if err != nil {
		return nil, nil, err
	}
	keys, ok := list.(*types.List)
	if !ok {
		return nil, nil, errors.New("the list of storages is malformed: the file is damaged")
	}
	root, storages, err := unpickle(parts[2])
	if err != nil {
		return nil, nil, err
	}
	contents := make(map[string][]byte, len(*keys))
	for _, k := range *keys {
		key, ok := k.(string)
		if !ok {
			return nil, nil, errors.New("the list of storages is malformed: the file is damaged")
		}
		s := storages[key]
		if s == nil {
			return nil, nil, fmt.Errorf("no tensor uses storage %.20q: the file is damaged", key)
		}
		size, err := s.byteSize()
		if err != nil {
			return nil, nil, err
		}
		if len(data) < 8+size {
			return nil, nil, fmt.Errorf("storage %.20q ends after the file: is the download complete?", key)
		}
		if n := binary.LittleEndian.Uint64(data); n != uint64(s.n) {
			return nil, nil, fmt.Errorf("storage %.20q has %d values, want %d: the file is damaged", key, n, s.n)
		}
		contents[key], data = data[8:][:size], data[8+size:]
	}
	return root, func(s *storage) ([]byte, error) {
		raw, ok := contents[s.key]
		if !ok {
			return nil, fmt.Errorf("the file has no storage %.20q: is it complete?", s.key)
		}
		return raw, nil
	}, nil
}
