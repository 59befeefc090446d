// Package netfile reads networks from files of any supported format and completes their metadata.
// Formats are the project's safetensors, PyTorch files as written by the reference implementation,
// ONNX models, NumPy arrays, and folders of training runs. A restricted unpickler reads PyTorch's
// current zip archives and the older format, without PyTorch.
package netfile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Network is a weights file with complete metadata.
type Network struct {
	*weights.File
	Left    []string // sorted names of omitted tensors outside the encoder
	Guessed []string // keys of assumed metadata: input_size, mean, std
}

// Read reads weights like [Decode], omits tensors outside the encoder unless all is set, and completes
// the metadata from given, the file, or the reference's values, in this order. The path is the fallback
// for the network's name.
//
// # Errors
//
// Files that cannot be read; unsupported tensors; invalid metadata, such as a standard deviation of
// zero.
func Read(path string, own []byte, given Facts, all bool) (*Network, error) {
	f, err := Decode(path, own)
	if err != nil {
		return nil, err
	}
	return Complete(f, path, given, all)
}

// Complete is Read for weights that were already read, with or without metadata. out is the fallback for
// the network's name. Byte weights remain bytes.
func Complete(f *weights.File, out string, given Facts, all bool) (n *Network, err error) {
	whole := f.Bytes
	f = f.Widened()
	n = &Network{File: f}
	found, err := findNetwork(f.Tensors)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source, err)
	}
	usual := ReferenceInput
	if found == nil && given.Stage != 0 {
		return nil, fmt.Errorf("%s: stage %d of a ResNet-12: only its last map is supported, leave out the stage", f.Source, given.Stage)
	}
	if found != nil {
		if given.Stage != 0 {
			if err := found.cut(given.Stage); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Source, err)
			}
		}
		usual = found.InputSize
		n.Left = n.adopt(found, all)
	} else {
		n.Left = removeHead(f, all)
		if f.Meta.Widths, err = TorchWidths(f.Source, f.Tensors); err != nil {
			return nil, fmt.Errorf("%w; %s", err, otherNetworks)
		}
	}
	n.Guessed = given.complete(&f.Meta, out, usual)
	if err := f.Meta.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source, err)
	}
	n.Bytes = map[string]*weights.Bytes{}
	for name, b := range whole {
		if f.Tensors[name] != nil { // otherwise it was omitted
			n.Bytes[name] = b
			delete(f.Tensors, name)
		}
	}
	return n, nil
}

// adopt takes tensors and metadata from a recognized network, and returns the names of the omitted
// tensors. Metadata of the file take precedence.
func (n *Network) adopt(found *namedNetwork, all bool) (left []string) {
	for _, name := range found.Left {
		if all {
			found.Tensors[name] = n.Tensors[name]
		} else {
			left = append(left, name)
		}
	}
	m := &n.Meta
	n.Tensors, m.Arch, m.Widths = found.Tensors, found.Arch, found.Widths
	extra := map[string]string{backbone.KeyGrid: usualGrid}
	maps.Copy(extra, found.Extra)
	maps.Copy(extra, m.Extra)
	m.Extra = extra
	if m.Std == ([3]float32{}) {
		m.Mean, m.Std = found.Mean, found.Std
	}
	return left
}

// usualGrid is the number of nodes across to which the maps of third-party networks are pooled:
// matching 25 nodes is fast, and ResNet-12 has 25 at 84 px.
const usualGrid = "5"

// Runs returns an error unless the weights form a network.
func (n *Network) Runs() error {
	_, err := backbone.New(n.File, backbone.Options{LowMemory: true})
	return err
}

// File names in the folder of a training run.
const (
	CheckpointFile = "checkpoint.bin"   // state to resume from
	BestFile       = "best.safetensors" // network with the best validation
	LastFile       = "last.safetensors" // last network, or the latest without validation
	LogFile        = "log.jsonl"
)

// Decode reads a PyTorch, ONNX or safetensors file, identified by its content; NumPy arrays in an
// archive (.npz) or folder; or the network of a training run's folder: the best by validation, or
// the last. Metadata may be absent. own, unless nil, is the content of a safetensors file instead: a
// network in the program.
func Decode(path string, own []byte) (*weights.File, error) {
	if own != nil {
		return weights.Decode(path, own)
	}
	if files, err := os.ReadDir(path); err == nil {
		holds := func(is func(name string) bool) bool {
			return slices.ContainsFunc(files, func(f fs.DirEntry) bool { return is(f.Name()) })
		}
		switch {
		case holds(func(name string) bool { return name == BestFile }):
			path = filepath.Join(path, BestFile)
		case holds(func(name string) bool { return name == LastFile }):
			path = filepath.Join(path, LastFile) // a run without validation
		case holds(func(name string) bool { return name == CheckpointFile || name == LogFile }):
			return nil, fmt.Errorf("%s: a training run without %s: wait for its first validation", path, BestFile)
		case holds(func(name string) bool { return filepath.Ext(name) == arrays.Ending }):
			return arrays.ReadFolder(path)
		}
	}
	if filepath.Base(path) == CheckpointFile {
		return nil, fmt.Errorf("%s: the checkpoint of a training run: name %s next to it, or the folder", path, BestFile)
	}
	data, err := namedfile.Read(path, namedfile.MaxWeights)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	if filepath.Ext(name) == ".npz" {
		return arrays.ReadNPZ(name, data)
	}
	if !weights.IsFile(data) && (bytes.HasPrefix(data, []byte("PK")) || bytes.HasPrefix(data, []byte{0x80})) {
		tensors, err := LoadTorch(name, data)
		return &weights.File{Source: name, Tensors: tensors}, err
	}
	if !weights.IsFile(data) && (filepath.Ext(name) == ".onnx" || filekind.IsONNX(data)) {
		return onnx.Decode(name, data)
	}
	return weights.DecodeTensors(name, data)
}

// removeHead removes "module." from the names and, unless all is set, omits tensors that do not
// belong to the encoder. It returns the omitted names.
func removeHead(f *weights.File, all bool) (left []string) {
	kept := make(map[string]*tensor.Tensor, len(f.Tensors))
	for name, t := range f.Tensors {
		name = TorchName(name)
		if all || strings.HasPrefix(name, "encoder.") {
			kept[name] = t
		} else {
			left = append(left, name)
		}
	}
	if len(kept) == 0 {
		return nil // the error about the widths should list the original names
	}
	f.Tensors = kept
	slices.Sort(left)
	return left
}

// Sum returns the SHA-256 of a weights file in hexadecimal: for the folder of a run, of its network
// (see [Decode]); for a folder of arrays, of all arrays by name.
func Sum(path string) (string, error) {
	files := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files = []string{filepath.Join(path, BestFile)}
		if _, err := os.Stat(files[0]); err != nil {
			files[0] = filepath.Join(path, LastFile)
		}
		if _, err := os.Stat(files[0]); err != nil {
			files, _ = fs.Glob(os.DirFS(path), "*"+arrays.Ending) // the pattern is well formed
			if len(files) == 0 {
				return "", fmt.Errorf("%s: it contains neither a network nor arrays (%s)", path, arrays.Ending)
			}
			for i, name := range files {
				files[i] = filepath.Join(path, name)
			}
		}
	}
	h := sha256.New()
	for _, name := range files {
		file, err := namedfile.Open(name, namedfile.MaxWeights)
		if err != nil {
			return "", err
		}
		if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
			return "", errors.Join(fmt.Errorf("%s: weights are read twice, and a pipe can be read only once: write them to a file", name), file.Close())
		}
		_, err = io.Copy(h, io.LimitReader(file, namedfile.MaxWeights))
		if err := errors.Join(err, file.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// ReferenceInput is the input size of the reference implementation in pixels, which its files do
// not contain.
const ReferenceInput = 84

// ImageNet's mean and standard deviation of red, green and blue, which the reference implementation
// uses.
var (
	ImageNetMean = [3]float32{0.485, 0.456, 0.406}
	ImageNetStd  = [3]float32{0.229, 0.224, 0.225}
)

// Facts are the metadata that the user provides. Empty fields are taken from the file or from
// Otherwise, or assumed.
type Facts struct {
	Name      string
	InputSize int         // side in pixels of the square input
	Grid      int         // nodes across to which the last map is pooled; 0 for the file's value
	Stage     int         // last stage or block, see namedNetwork.cut; 0 for the file's last
	Mean, Std *[3]float32 // of red, green and blue in 0…1
	TrainedOn string
	// Otherwise provides a normalization for files without one, such as that of the images to
	// compare. It is optional.
	Otherwise weights.Meta
}

// complete fills in the metadata, and returns the keys of assumed values, including an input of the
// usual size. The metadata also record assumed means and standard deviations.
func (f Facts) complete(m *weights.Meta, out string, usual int) (guessed []string) {
	m.Arch = cmp.Or(m.Arch, backbone.ArchResNet12)
	m.Name = cmp.Or(f.Name, m.Name, strings.TrimSuffix(filepath.Base(out), ".safetensors"))
	m.TrainedOn = cmp.Or(f.TrainedOn, m.TrainedOn)
	if m.InputSize = cmp.Or(f.InputSize, m.InputSize); m.InputSize == 0 {
		m.InputSize, guessed = usual, append(guessed, "input_size")
	}
	if f.Grid != 0 {
		extra := map[string]string{}
		maps.Copy(extra, m.Extra)
		extra[backbone.KeyGrid] = strconv.Itoa(f.Grid)
		m.Extra = extra
	}
	if m.Std == ([3]float32{}) {
		m.Mean, m.Std = ImageNetMean, ImageNetStd
		m.Assumed = []string{weights.AssumedMean, weights.AssumedStd}
	}
	for _, fact := range []struct {
		key              string
		given, otherwise *[3]float32
		value            *[3]float32
	}{
		{weights.AssumedMean, f.Mean, &f.Otherwise.Mean, &m.Mean}, {weights.AssumedStd, f.Std, &f.Otherwise.Std, &m.Std},
	} {
		assumed := slices.Contains(m.Assumed, fact.key)
		switch {
		case fact.given != nil:
			*fact.value = *fact.given
		case assumed && f.Otherwise.Std != ([3]float32{}):
			*fact.value = *fact.otherwise
		case assumed:
			guessed = append(guessed, fact.key)
			continue
		}
		m.Assumed = without(m.Assumed, fact.key)
	}
	return guessed
}

// without returns a copy of a list without one text, or nil if it is empty.
func without(list []string, text string) []string {
	left := slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == text })
	if len(left) == 0 {
		return nil
	}
	return left
}

// Note returns a note about assumed metadata and the remedy, or "".
func Note(m weights.Meta) string {
	if len(m.Assumed) == 0 {
		return ""
	}
	flags := make([]string, len(m.Assumed))
	for i, fact := range m.Assumed {
		flags[i] = "--" + fact
	}
	verb := "are"
	if len(flags) == 1 {
		verb = "is"
	}
	return fmt.Sprintf("note: ImageNet's %s %s assumed for %s, as nothing says what it was trained with: give %s, here or to `deepemd import`",
		strings.Join(m.Assumed, " and "), verb, m.Name, strings.Join(flags, " and "))
}
