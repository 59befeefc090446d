package netfile

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// zipFile is the container since PyTorch 1.6: an archive of one folder with
// data.pkl, and data/0, data/1 … for the storages, none of them compressed.
type zipFile struct {
	entries map[string]*zip.File // by path
	folder  string               // "archive/"
	loaded  map[string][]byte    // storages by key
	budget  int64                // bytes that entries without overlap can still hold
}

func openZip(r io.ReaderAt, size int64) (*zipFile, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("unreadable zip archive (%w): is the download complete?", err)
	}
	z := &zipFile{entries: make(map[string]*zip.File, len(archive.File)), loaded: make(map[string][]byte), budget: size}
	found := false
	for _, f := range archive.File {
		if f.Method != zip.Store || f.UncompressedSize64 > uint64(size) {
			return nil, fmt.Errorf("zip entry %.60s is compressed, which PyTorch never does: was it written by torch.save?", f.Name)
		}
		z.entries[f.Name] = f
		if folder, ok := strings.CutSuffix(f.Name, "data.pkl"); ok && !found {
			z.folder, found = folder, true
		}
	}
	switch {
	case !found:
		return nil, errors.New("a zip archive without data.pkl: was it written by torch.save?")
	case z.entries[z.folder+"constants.pkl"] != nil:
		return nil, errors.New("this is a TorchScript module: save its weights with torch.save({'params': model.state_dict()}, …)")
	}
	if f := z.entries[z.folder+"byteorder"]; f != nil {
		if order, err := z.read(f, 16); err != nil || string(order) != "little" {
			return nil, fmt.Errorf("byte order %q, want little: save the file on an ordinary machine", order)
		}
	}
	return z, nil
}

// root implements container.
func (z *zipFile) root() (any, error) {
	data, err := z.read(z.entries[z.folder+"data.pkl"], maxPickle)
	if err != nil {
		return nil, err
	}
	n, err := scan(data)
	if err != nil {
		return nil, err
	}
	value, _, err := unpickle(data[:n])
	return value, err
}

// bytes implements container.
func (z *zipFile) bytes(s *storage) ([]byte, error) {
	want, err := s.byteSize()
	if err != nil {
		return nil, err
	}
	raw, ok := z.loaded[s.key]
	if !ok {
		f := z.entries[z.folder+"data/"+s.key]
		if f == nil {
			return nil, fmt.Errorf("the archive has no storage %.20q: is the file complete?", s.key)
		}
		if raw, err = z.read(f, want); err != nil {
			return nil, err
		}
		z.loaded[s.key] = raw
	}
	if len(raw) != want {
		return nil, fmt.Errorf("storage %.20q has %d bytes, want %d: the file is damaged", s.key, len(raw), want)
	}
	return raw, nil
}

// read returns an entry of at most limit bytes; each is read once.
func (z *zipFile) read(f *zip.File, limit int) ([]byte, error) {
	if f.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("zip entry %.60s has %d bytes, want at most %d: the file is damaged", f.Name, f.UncompressedSize64, limit)
	}
	if z.budget -= int64(f.UncompressedSize64); z.budget < 0 {
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
	if _, err := r.Read(make([]byte, 1)); err != io.EOF { // the end is where the checksum is compared
		return nil, fmt.Errorf("zip entry %.60s: %w: the file is damaged", f.Name, err)
	}
	return data, nil
}
