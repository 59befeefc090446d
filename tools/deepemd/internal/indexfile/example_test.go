package indexfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/tools/deepemd/internal/indexfile"
)

// An index grows, and is searched by its path.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "index")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "pictures.index")
	growing, err := indexfile.Grow(path, gallery.Catalogue{Network: project.Network{Embedder: method.Embedder{Kind: method.FCN}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mug := &embed.Set{N: 1, C: 3, Data: []float32{1, 4, 2}}
	if err := errors.Join(growing.Add("mug.jpg", "", mug), growing.Close(), growing.Release()); err != nil {
		fmt.Println(err)
		return
	}
	index, err := indexfile.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer index.Close()
	fmt.Println(index.Size(), index.Name(0))
	// Output: 1 mug.jpg
}
