package training

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// kept is the file in a run's folder that has a teacher's features of all pictures, so
// that a run that goes on need not show them again; empty for none. Its name is a digest
// of the teacher and the pictures' names.
type kept string

// keptFeatures names the file for a teacher and the names of pictures.
func keptFeatures(dir string, teacher *weights.File, names []string) (kept, error) {
	if dir == "" {
		return "", nil
	}
	digest := sha256.New()
	if err := teacher.Encode(digest, weights.F32); err != nil {
		return "", err
	}
	for _, name := range names {
		fmt.Fprintf(digest, "%q", name)
	}
	return kept(filepath.Join(dir, "teacher-"+hex.EncodeToString(digest.Sum(nil)[:6])+".npy")), nil
}

// read returns the features of so many pictures, [pictures][channels]; fs.ErrNotExist if
// none are kept.
func (k kept) read(pictures int) ([][]float64, error) {
	if k == "" {
		return nil, fs.ErrNotExist
	}
	file, err := os.Open(string(k))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	array, err := arrays.ReadNPY(file)
	if err == nil && (array.Dims() != 2 || array.Shape()[0] != pictures || array.Dtype() != dense.Float64) {
		err = fmt.Errorf("%v of %v, want %d rows of float64", array.Shape(), array.Dtype(), pictures)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: delete it, and the pictures are shown again", k, err)
	}
	return slices.Collect(slices.Chunk(array.Float64s(), array.Shape()[1])), nil
}

// shared is read for the ranks of a group: rank 0 reads, and gives all what it has.
func (k kept) shared(g cluster.Group, pictures int) (features [][]float64, err error) {
	if g.Size() == 1 {
		return k.read(pictures)
	}
	if cluster.Leads(g) {
		features, err = k.read(pictures)
	}
	none := errors.Is(err, fs.ErrNotExist)
	if told := cluster.Tell(g, &none); told != nil || none {
		return nil, errors.Join(told, fs.ErrNotExist)
	}
	if err := data.Agree(g, err); err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	if cluster.Leads(g) {
		if err := gob.NewEncoder(&raw).Encode(features); err != nil {
			return nil, err
		}
	}
	all, err := cluster.Leader(g, raw.Bytes())
	if err != nil {
		return nil, err
	}
	err = gob.NewDecoder(bytes.NewReader(all)).Decode(&features)
	return features, err
}

// write keeps features, all of one length.
func (k kept) write(features [][]float64) error {
	if k == "" || len(features) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(string(k)), 0o755); err != nil {
		return err
	}
	array := dense.New(dense.WithShape(len(features), len(features[0])), dense.WithBacking(slices.Concat(features...)))
	return atomicfile.Write(string(k), func(w io.Writer) error { return arrays.WriteNPY(w, array) })
}
