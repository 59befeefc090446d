package netfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/nlpodyssey/gopickle/types"
)

// legacyMagic is how a file from before PyTorch 1.6 starts: the pickle of its
// magic number, protocol 2.
var legacyMagic = []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.")

// legacyFile is the container before PyTorch 1.6: the pickles of the magic
// number, the protocol's version, facts of the machine, the value and the
// list of storage keys, then each storage: a count (int64) and its elements.
type legacyFile struct {
	r       io.ReaderAt
	size    int64
	value   []byte           // the pickle of the value
	keys    []string         // of the storages, in the order of the file
	data    int64            // where the storages start
	content map[string]int64 // where each storage's elements start
	loaded  map[string][]byte
}

func openLegacy(r io.ReaderAt, size int64) (*legacyFile, error) {
	f := &legacyFile{r: r, size: size}
	at := int64(len(legacyMagic))
	var parts [4][]byte // version, machine, value, keys
	for i := range parts {
		head := make([]byte, min(size-at, maxPickle))
		if _, err := r.ReadAt(head, at); err != nil && err != io.EOF {
			return nil, err
		}
		n, err := scan(head)
		if err != nil {
			return nil, err
		}
		parts[i], at = head[:n:n], at+int64(n)
	}
	machine, _, err := unpickle(parts[1])
	if err != nil {
		return nil, err
	}
	if entries, ok := items(machine); ok {
		for _, e := range entries {
			if e.key == "little_endian" && e.value != true {
				return nil, errors.New("big-endian storages: save the file on an ordinary machine")
			}
		}
	}
	list, _, err := unpickle(parts[3])
	if err != nil {
		return nil, err
	}
	keys, ok := list.(*types.List)
	if !ok {
		return nil, errors.New("the list of storages is malformed: the file is damaged")
	}
	for _, key := range *keys {
		text, ok := key.(string)
		if !ok {
			return nil, errors.New("the list of storages is malformed: the file is damaged")
		}
		f.keys = append(f.keys, text)
	}
	f.value, f.data = parts[2], at
	return f, nil
}

// root implements container. Only the value says how large the elements of a
// storage are, so it is here that the storages are found.
func (f *legacyFile) root() (any, error) {
	value, storages, err := unpickle(f.value)
	if err != nil {
		return nil, err
	}
	f.content = make(map[string]int64, len(f.keys))
	f.loaded = make(map[string][]byte, len(f.keys))
	at := f.data
	for _, key := range f.keys {
		s := storages[key]
		if s == nil {
			return nil, fmt.Errorf("no tensor uses storage %.20q: the file is damaged", key)
		}
		size, err := s.byteSize()
		if err != nil {
			return nil, err
		}
		var count [8]byte
		if at > f.size-8-int64(size) {
			return nil, fmt.Errorf("storage %.20q ends after the file: is the download complete?", key)
		}
		if _, err := f.r.ReadAt(count[:], at); err != nil {
			return nil, err
		}
		if n := binary.LittleEndian.Uint64(count[:]); n != uint64(s.n) {
			return nil, fmt.Errorf("storage %.20q has %d values, want %d: the file is damaged", key, n, s.n)
		}
		f.content[key] = at + 8
		at += 8 + int64(size)
	}
	return value, nil
}

// bytes implements container.
func (f *legacyFile) bytes(s *storage) ([]byte, error) {
	if raw, ok := f.loaded[s.key]; ok {
		return raw, nil
	}
	at, ok := f.content[s.key]
	if !ok {
		return nil, fmt.Errorf("the file has no storage %.20q: is it complete?", s.key)
	}
	size, err := s.byteSize()
	if err != nil {
		return nil, err
	}
	raw := make([]byte, size)
	if _, err := f.r.ReadAt(raw, at); err != nil && err != io.EOF {
		return nil, err
	}
	f.loaded[s.key] = raw
	return raw, nil
}
