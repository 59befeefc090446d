package arrays

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Weights are kept as one file name.npy a tensor, in a folder or in a zip archive
// (.npz), with the facts of the network beside them: a JSON map, with the keys
// that safetensors files have.
const (
	arrayEnding  = ".npy"
	metadataFile = "metadata.json"
)

// WriteNPZ writes weights as numpy.savez does: an archive for numpy.load, which
// passes over the facts.
//
// # Errors
//
// Metadata that [weights.Meta.Validate] refuses, tensors without elements or
// with a name that no file can have, all before anything is written; errors of w.
func WriteNPZ(w io.Writer, f *weights.File) error {
	archive := zip.NewWriter(w)
	err := writeArrays(f, func(name string, write func(io.Writer) error) error {
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		return write(entry)
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

// WriteFolder writes weights to a new or empty folder, all or nothing. It returns the errors of
// [WriteNPZ] and [atomicfile.WriteFolder].
func WriteFolder(folder string, f *weights.File) error {
	return atomicfile.WriteFolder(folder, func(temp string) error {
		return writeArrays(f, func(name string, write func(io.Writer) error) error {
			return atomicfile.Write(filepath.Join(temp, name), write)
		})
	})
}

// writeArrays writes the files of weights in the order of their names, the facts
// first; put makes one file.
func writeArrays(f *weights.File, put func(name string, write func(io.Writer) error) error) error {
	if err := f.Meta.Validate(); err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	names := slices.Sorted(maps.Keys(f.Tensors))
	arrays := make([]*dense.Dense, len(names))
	for i, name := range names {
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `/\`) {
			return fmt.Errorf("%s: tensor %.80q: no file can have its name", f.Source, name)
		}
		var err error
		if arrays[i], err = Dense(f.Tensors[name]); err != nil {
			return fmt.Errorf("%s: tensor %.80s: %w", f.Source, name, err)
		}
	}
	facts, err := json.MarshalIndent(f.Meta.Entries(), "", "  ")
	if err != nil {
		return err
	}
	err = put(metadataFile, func(w io.Writer) error {
		_, err := w.Write(append(facts, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	for i, name := range names {
		if err := put(name+arrayEnding, func(w io.Writer) error { return WriteNPY(w, arrays[i]) }); err != nil {
			return err
		}
	}
	return nil
}

// ReadNPZ reads weights from an archive of arrays, such as numpy.savez writes.
// The facts may be missing, as with [weights.DecodeTensors]; integer counters of
// batch normalisation are left out. The name opens every error.
//
// # Errors
//
// What is no zip archive; files in it that are neither arrays nor the facts;
// arrays of other elements than float32 and float16; values that are not finite.
func ReadNPZ(name string, r io.ReaderAt, size int64) (*weights.File, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		head := make([]byte, 32)
		n, _ := r.ReadAt(head, 0) // the error is that of the archive
		return nil, fmt.Errorf("%s: not an archive of arrays (%w)%s", name, err, filekind.Instead(head[:n], "name one that numpy.savez wrote, *.npz"))
	}
	return readArrays(name, archive)
}

// ReadFolder is [ReadNPZ] for a folder of .npy files. Hidden files are passed
// over.
func ReadFolder(folder string) (*weights.File, error) {
	return readArrays(filepath.Base(folder), os.DirFS(folder))
}

// readArrays reads weights from the files of a folder.
func readArrays(source string, files fs.FS) (*weights.File, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	f := &weights.File{Source: source, Tensors: make(map[string]*tensor.Tensor, len(entries))}
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case strings.HasPrefix(name, "."), strings.HasSuffix(name, ".num_batches_tracked"+arrayEnding):
		case name == metadataFile:
			f.Meta, err = readMetadata(files)
		case path.Ext(name) == arrayEnding && !entry.IsDir():
			f.Tensors[strings.TrimSuffix(name, arrayEnding)], err = readArray(files, name)
		default:
			err = fmt.Errorf("neither an array (%s) nor %s", arrayEnding, metadataFile)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %.80s: %w", source, name, err)
		}
	}
	if len(f.Tensors) == 0 {
		return nil, fmt.Errorf("%s: no arrays (%s) in it", source, arrayEnding)
	}
	return f, nil
}

// readArray reads the tensor of a file.
func readArray(files fs.FS, name string) (*tensor.Tensor, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d, err := ReadNPY(file)
	if err != nil {
		return nil, err
	}
	t, err := Tensor(d)
	if err != nil {
		return nil, err
	}
	return t, weights.CheckFinite(t)
}

// readMetadata reads the facts.
func readMetadata(files fs.FS) (weights.Meta, error) {
	raw, err := fs.ReadFile(files, metadataFile)
	if err != nil {
		return weights.Meta{}, err
	}
	var entries map[string]string
	if err := json.Unmarshal(raw, &entries); err != nil {
		return weights.Meta{}, fmt.Errorf("not a JSON map of texts: %w", err)
	}
	return weights.ParseMeta(entries)
}
