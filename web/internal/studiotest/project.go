//go:build !js

package studiotest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
)

// ProjectOf writes a project file of classes with the given names, each with a number of noise
// examples. Their embeddings claim to be the default network's, so that opening the project embeds
// nothing. Images resemble the last class most.
func ProjectOf(t *testing.T, labels []string, each int) (path string) {
	t.Helper()
	file := require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(t)
	meta := file.Meta
	across := require.Value(strconv.Atoi(meta.Extra[backbone.KeyGrid]))(t)
	nodes := across * across
	m := &project.Manifest{
		Kind: project.KindImage, Name: "Many", Method: method.Default(),
		Preprocess: &project.Preprocess{Size: meta.InputSize, Mean: meta.Mean, Std: meta.Std},
		Network:    &project.Network{Name: meta.Name, SHA256: archive.Digest(network.ResNet12PhotoWeights()), Embedder: method.Embedder{Kind: "fcn"}, Nodes: nodes, Channels: meta.Widths[3]},
	}
	for c, label := range labels {
		class := project.Class{ID: fmt.Sprintf("class-%d", c+1), Label: label, Hue: c}
		for i := range each {
			class.Examples = append(class.Examples, project.Example{ID: fmt.Sprintf("example-%d", c*each+i)})
		}
		m.Classes = append(m.Classes, class)
	}
	path = filepath.Join(t.TempDir(), "many.deepemd")
	out := require.Value(os.Create(path))(t)
	defer out.Close()
	source := rand.NewChaCha8([32]byte{})
	random := rand.New(source)
	require.NoError(t, archive.Write(out, m, archive.Contents{
		Picture: func(int) (*imaging.Image, error) {
			p := &imaging.Image{Width: meta.InputSize, Height: meta.InputSize, Pix: make([]uint8, 3*meta.InputSize*meta.InputSize)}
			_, err := source.Read(p.Pix)
			return p, err
		},
		Embedding: func(i int) ([]float32, error) {
			values := make([]float32, nodes*meta.Widths[3])
			for k := range values {
				values[k] = random.Float32() + float32(k%7)*float32(len(labels)-i/each)
			}
			return values, nil
		},
	}))
	return path
}
