package arrays

import (
	"archive/zip"
	"bytes"
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

// Weights are stored as one file name.npy for each tensor, in a folder or zip archive (.npz), with
// the network's metadata in a JSON map with the same keys as in safetensors files.
const metadataFile = "metadata.json"

// Limits of a file's contents, as in PyTorch's and safetensors files.
const (
	maxElements = 1 << 27 // all arrays
	maxMetadata = 1 << 22 // bytes
)

// WriteNPZ writes weights like numpy.savez. numpy.load ignores the metadata.
//
// # Errors
//
// Metadata that [weights.Meta.Validate] rejects, tensors without elements or with names that files
// cannot have, all before anything is written; errors of w.
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

// writeArrays writes the files of weights in the order of their names, the metadata first; put
// creates one file.
func writeArrays(f *weights.File, put func(name string, write func(io.Writer) error) error) error {
	if err := f.Meta.Validate(); err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	names := slices.Sorted(maps.Keys(f.Tensors))
	arrays := make([]*dense.Dense, len(names))
	for i, name := range names {
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `/\`) {
			return fmt.Errorf("%s: tensor %.80q: its name cannot be a file name: rename it", f.Source, name)
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
		if err := put(name+Ending, func(w io.Writer) error { return WriteNPY(w, arrays[i]) }); err != nil {
			return err
		}
	}
	return nil
}

// ReadNPZ reads weights from an archive of arrays, as written by numpy.savez. Metadata are
// optional, see [weights.DecodeTensors]. It omits integer counters of batch normalization. Every
// error starts with name.
//
// # Errors
//
// Other archives; wrong checksums; entries that overlap; files that are neither arrays nor metadata;
// elements other than float32 and float16; more than 2²⁷ values; values that are not finite.
func ReadNPZ(name string, data []byte) (*weights.File, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s: not an archive of arrays (%w)%s", name, err, filekind.Instead(data[:min(len(data), 32)], "name a file written by numpy.savez, *.npz"))
	}
	packed := uint64(len(data))
	for _, e := range archive.File {
		if e.CompressedSize64 > packed {
			return nil, fmt.Errorf("%s: its entries overlap: the file is damaged, save it again with numpy.savez", name)
		}
		packed -= e.CompressedSize64
	}
	return readArrays(name, archive)
}

// ReadFolder is [ReadNPZ] for a folder of .npy files. It ignores hidden files.
func ReadFolder(folder string) (*weights.File, error) {
	return readArrays(filepath.Base(folder), os.DirFS(folder))
}

func readArrays(source string, files fs.FS) (*weights.File, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	f := &weights.File{Source: source, Tensors: make(map[string]*tensor.Tensor, len(entries))}
	left := maxElements
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case strings.HasPrefix(name, "."), strings.HasSuffix(name, ".num_batches_tracked"+Ending):
		case name == metadataFile:
			f.Meta, err = readMetadata(files)
		case path.Ext(name) == Ending && !entry.IsDir():
			f.Tensors[strings.TrimSuffix(name, Ending)], err = readArray(files, name, &left)
		default:
			err = fmt.Errorf("neither an array (%s) nor %s", Ending, metadataFile)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %.80s: %w", source, name, err)
		}
	}
	if len(f.Tensors) == 0 {
		return nil, fmt.Errorf("%s: it contains no arrays (%s)", source, Ending)
	}
	return f, nil
}

// readArray reads an array of at most left values and subtracts them.
func readArray(files fs.FS, name string, left *int) (*tensor.Tensor, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d, err := readNPY(file, *left)
	if err != nil {
		return nil, err
	}
	// The zip reader checks the checksum at the end.
	if _, err := io.Copy(io.Discard, file); err != nil {
		return nil, err
	}
	t, err := Tensor(d)
	if err != nil {
		return nil, err
	}
	*left -= len(t.Data)
	return t, weights.CheckFinite(t)
}

func readMetadata(files fs.FS) (weights.Meta, error) {
	file, err := files.Open(metadataFile)
	if err != nil {
		return weights.Meta{}, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxMetadata+1))
	if err != nil {
		return weights.Meta{}, err
	}
	if len(raw) > maxMetadata {
		return weights.Meta{}, fmt.Errorf("more than %d bytes of metadata: shorten them", maxMetadata)
	}
	var entries map[string]string
	if err := json.Unmarshal(raw, &entries); err != nil {
		return weights.Meta{}, fmt.Errorf("not a JSON map of strings: %w", err)
	}
	return weights.ParseMeta(entries)
}
