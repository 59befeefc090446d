package job

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/trainer/format/arrays"
	"github.com/deepemd/deepemd/trainer/format/artifact"
)

// kept is the file in a run's folder that has a teacher's features of all pictures, so
// that a run that goes on need not show them again; empty for none. Its name is a digest
// of the teacher and the pictures' names.
type kept string

// keptFeatures names the file for a teacher's weights file and the names of pictures.
func keptFeatures(dir, teacher string, names []string) (kept, error) {
	if dir == "" {
		return "", nil
	}
	digest := sha256.New()
	weights, err := os.Open(teacher)
	if err != nil {
		return "", err
	}
	defer weights.Close()
	if _, err := io.Copy(digest, weights); err != nil {
		return "", err
	}
	for _, name := range names {
		fmt.Fprintf(digest, "%q", name)
	}
	return kept(filepath.Join(dir, "teacher-"+hex.EncodeToString(digest.Sum(nil)[:6])+".npy")), nil
}

// read returns the features, [pictures][channels]; fs.ErrNotExist if none are kept.
func (k kept) read() ([][]float64, error) {
	if k == "" {
		return nil, fs.ErrNotExist
	}
	file, err := os.Open(string(k))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	array, err := arrays.ReadNPY(file)
	if err == nil && (array.Dims() != 2 || array.Dtype() != dense.Float32) {
		err = fmt.Errorf("%v of %v, want rows of float32", array.Shape(), array.Dtype())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: delete it, and the pictures are shown again", k, err)
	}
	values, channels := array.Float32s(), array.Shape()[1]
	features := make([][]float64, array.Shape()[0])
	for i := range features {
		features[i] = make([]float64, channels)
		for c, v := range values[i*channels:][:channels] {
			features[i][c] = float64(v)
		}
	}
	return features, nil
}

// write keeps features, all of one length.
func (k kept) write(features [][]float64) error {
	if k == "" || len(features) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(string(k)), 0o755); err != nil {
		return err
	}
	channels := len(features[0])
	values := make([]float32, 0, len(features)*channels)
	for _, f := range features {
		for _, v := range f {
			values = append(values, float32(v))
		}
	}
	array := dense.New(dense.WithShape(len(features), channels), dense.WithBacking(values))
	return artifact.Write(string(k), func(w io.Writer) error { return arrays.WriteNPY(w, array) })
}
