package archive_test

import (
	"bytes"
	"fmt"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
)

// A project of one class and one picture is written and read again. It holds no
// embeddings: whoever opens it makes them.
func Example() {
	picture, err := imaging.FromRGBA(make([]byte, 4*84*84), 84, 84)
	if err != nil {
		fmt.Println(err)
		return
	}
	manifest := &project.Manifest{
		Kind: project.KindImage, Name: "Cups", Method: method.Default(),
		Preprocess: &project.Preprocess{Size: 84, Std: [3]float32{1, 1, 1}},
		Classes:    []project.Class{{ID: "class-1", Label: "Cup", Examples: []project.Example{{ID: "example-1"}}}},
	}
	var file bytes.Buffer
	err = archive.Write(&file, manifest, archive.Contents{
		Picture: func(int) (*imaging.Image, error) { return picture, nil },
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	opened, err := archive.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	class := opened.Manifest.Classes[0]
	again, err := opened.Picture(class.Examples[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(opened.Manifest.Name, class.Label, class.Examples[0].Picture, again.Width, again.Height)
	// Output: Cups Cup pictures/00001.png 84 84
}
