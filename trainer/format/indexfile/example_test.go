package indexfile_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/trainer/format/artifact"
	"github.com/deepemd/deepemd/trainer/format/indexfile"
)

// An index is written whole or not at all, and searched by its path.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "index")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "pictures.index")
	about := gallery.Catalogue{Network: project.Network{Embedder: method.Embedder{Kind: method.FCN}}}
	err = artifact.Write(path, func(file io.Writer) error {
		w, err := gallery.NewWriter(file, about)
		if err != nil {
			return err
		}
		if err := w.Add("mug.jpg", "", &embed.Set{N: 1, C: 3, Data: []float32{1, 4, 2}}); err != nil {
			return err
		}
		return w.Close()
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	index, err := indexfile.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer index.Close()
	fmt.Println(index.Len(), index.Catalogue().Names)
	// Output: 1 [mug.jpg]
}
