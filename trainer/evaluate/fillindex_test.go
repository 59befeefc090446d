package evaluate_test

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// TestFillIndexProgress: the progress moves between commits, too, because large photographs take long.
func TestFillIndexProgress(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 130 {
		names = append(names, fmt.Sprintf("%03d.png", i))
		mediatest.PNG(t, filepath.Join(dir, names[i]), 8, 8, func(x, y int) color.Color { return color.RGBA{uint8(x + i), uint8(y), 9, 255} })
	}
	set := require.Value(data.OpenUnclassified(dir))(t)
	defer set.Close()
	var buffer gallery.Buffer
	about := gallery.Catalog{Network: project.Network{Embedder: method.Embedder{Kind: method.FCN}}}
	index := require.Value(gallery.Create(&buffer, about))(t)
	var told []int
	require.NoError(t, evaluate.FillIndex(t.Context(), index, set, names, evaluate.Extraction{
		Encoder: corner{}, Preprocess: plain, Progress: telling(func(done, total int) {
			if total != len(names) {
				t.Errorf("%d of %d", done, total)
			}
			told = append(told, done)
		}),
	}))
	if !slices.Contains(told, 64) || !slices.IsSorted(told) || told[len(told)-1] != len(names) {
		t.Errorf("the progress is %v", told)
	}
}
