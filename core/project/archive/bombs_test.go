package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// Small project files that would take minutes or gigabytes are rejected with little memory.
func TestBombs(t *testing.T) {
	for _, c := range bombs.Projects() {
		t.Run(c.Name, func(t *testing.T) {
			var err error
			took := bombs.Allocated(func() { _, _, _, err = readAll(c.File) })
			if !errors.Is(err, project.ErrDamaged) || !strings.Contains(err.Error(), c.Says) {
				t.Errorf("error %v, want one that says %q", err, c.Says)
			}
			if took > c.Allocates {
				t.Errorf("%d bytes were allocated for a file of %d, more than %d", took, len(c.File), c.Allocates)
			}
		})
	}
}

// A picture counts once, even if it is read several times.
func TestAskingAgainIsFree(t *testing.T) {
	file := require.Value(read(bombs.Project(1, func(int) string { return "p.png" }, bombs.Entry{Name: "p.png", Content: bombs.PNG(2000)})))(t)
	for range 20 {
		require.Value(file.Picture(file.Manifest.Classes[0].Examples[0]))(t)
	}
}

// A project with a non-finite embedding is rejected: its example would silently have no effect.
func TestEmbeddingsThatAreNoNumbers(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m, contents := sample()
		good := contents.Embedding
		contents.Embedding = func(i int) ([]float32, error) {
			values, err := good(i)
			if i == 1 {
				values[4] = float32(bad)
			}
			return values, err
		}
		_, _, _, err := readAll(write(t, m, contents))
		if says := fmt.Sprint("value 10 of 18 is ", bad); !errors.Is(err, project.ErrDamaged) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want an error that says %q", err, says)
		}
	}
}

// A file that claims more examples than it has embeddings allocates no memory for them.
func TestEmbeddingsThatAreNotThere(t *testing.T) {
	m, contents := sample()
	data := repack(t, write(t, m, contents), 0, func(name string, content []byte) []byte {
		if name == embeddingsEntry {
			binary.LittleEndian.PutUint64(content, 1<<40) // of the header
		}
		return content
	})
	var err error
	took := bombs.Allocated(func() { _, _, _, err = readAll(data) })
	if !errors.Is(err, project.ErrDamaged) || took > 1<<20 {
		t.Errorf("%v, %d bytes allocated", err, took)
	}
}
