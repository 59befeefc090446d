package archive_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/bombs"
)

// FuzzOpen opens projects with any manifest and any embeddings, in a learner of pictures and in one
// of features. An opened learner must answer with finite scores.
func FuzzOpen(f *testing.F) {
	values := make([]byte, 0, 2*12*4)
	for i := range 2 {
		for _, v := range embedding(uint64(i)) {
			values = binary.LittleEndian.AppendUint32(values, math.Float32bits(v))
		}
	}
	const classes = `"classes": [{"id": "a", "label": "A", "examples": [{"id": "1", "picture": "p0.png"}]}, {"id": "b", "label": "B", "examples": [{"id": "2", "picture": "p1.png"}]}]}`
	const head = `{"format": "deepemd-project", "version": 2, "name": "", "kind": `
	for _, text := range []string{
		head + `"image", ` + classes, head + `"features", "network": {"name": "mine", "nodes": 3, "channels": 4}, ` + classes,
		head + `"image", "network": {"name": "quarters", "sha256": "abc", "embedder": {"kind": "fcn"}, "nodes": 4, "channels": 3}, ` + classes,
		head + `"image", "method": {"classifier": "sfc", "weighting": "k-means:2", "solver": "sinkhorn:0.1", "temperature": 1e300}, ` + classes,
		head + `"image", "method": {"embedder": {"kind": "grid", "grid": [1000]}}, ` + classes,
		head + `"image", "method": {"embedder": {"kind": "sampling", "patches": 100000}}, "requires": ["nothing"], ` + classes,
		`{"format": "deepemd-project", "version": 1, "name": "", "kind": "image", "settings": {"classifier": "nearest", "strictness": -3}, ` + classes,
	} {
		f.Add([]byte(text), "2,3,4", values)
		f.Add([]byte(text), "2,4,3", values)
	}
	picture := bombs.PNG(16)
	f.Fuzz(func(t *testing.T, manifest []byte, shape string, values []byte) {
		header := fmt.Sprintf(`{"embeddings":{"dtype":"F32","shape":[%s],"data_offsets":[0,%d]}}`, shape, len(values))
		file := bombs.Archive(
			bombs.Entry{Name: "manifest.json", Content: manifest}, bombs.Entry{Name: "p0.png", Content: picture}, bombs.Entry{Name: "p1.png", Content: picture},
			bombs.Entry{Name: "embeddings.safetensors", Content: append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), values...)})
		for _, on := range []*learner.Learner{newLearner(t, &encoder{}, learner.Options{Digest: "abc"}), features(t, mine, learner.Options{})} {
			// A method can require several thousand crops of a picture.
			bombs.Budget(t, 256<<20, 8192, len(file), func() {
				p, err := archive.Read(bytes.NewReader(file), int64(len(file)))
				if err != nil {
					return
				}
				if l, err := archive.Open(p, on); err == nil {
					asked(t, l)
				}
			})
		}
	})
}

// asked checks that a learner's answers are finite.
func asked(t *testing.T, l *learner.Learner) {
	p := texture(5)
	if l.TakesFeatures() {
		p = learner.Picture{Embedding: embedding(7)}
	}
	answer, err := l.Model().Classify(p)
	if err != nil {
		return
	}
	for _, s := range answer.Scores {
		if math.IsNaN(s.Score) || s.Score < 0 || s.Score > 1 {
			t.Errorf("%v: class %s has the score %v", l.Method(), s.ID, s.Score)
		}
	}
}
