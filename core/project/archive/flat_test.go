package archive_test

import (
	"bytes"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/require"
)

// TestEmbeddingsOfNothing checks that pictures with zero embeddings are embedded again.
func TestEmbeddingsOfNothing(t *testing.T) {
	opt := learner.Options{Digest: "the same"}
	e := &encoder{}
	want, on := newLearner(t, &encoder{}, opt), newLearner(t, e, opt)
	teach(t, want, 2, 3)
	whole := saved(t, want, project.Manifest{})
	m := whole.Manifest
	var examples []project.Example
	for _, c := range m.Classes {
		examples = append(examples, c.Examples...)
	}
	var buf bytes.Buffer
	require.NoError(t, archive.Write(&buf, &m, archive.Contents{
		Picture:   func(i int) (*imaging.Image, error) { return whole.Picture(examples[i]) },
		Embedding: func(int) ([]float32, error) { return make([]float32, m.Network.Nodes*m.Network.Channels), nil },
	}))
	file := require.Value(archive.Read(bytes.NewReader(buf.Bytes()), int64(buf.Len())))(t)
	if file.Manifest.Network == nil || !archive.SameEmbeddings(&file.Manifest, on) {
		t.Fatal("the project's embeddings are not looked at")
	}
	before := e.passes
	got := require.Value(archive.Open(file, on))(t)
	if n := e.passes - before; n != 1+5 { // one shows that the network runs
		t.Errorf("%d passes through the network, want one more than for each of 5 examples", n)
	}
	sameAnswers(t, got, want)
}
