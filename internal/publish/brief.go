package publish

import (
	"bytes"
	"fmt"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
)

// Brief is the number of examples up to which a page holds no embeddings, which would
// take most of the file: it embeds the pictures when it opens. The same number as in
// web/static/web/share.js.
const Brief = 120

// Project returns a project file as a page holds it: that of Brief examples or fewer
// without its embeddings.
//
// # Errors
//
// Those of archive.Read, File.Picture and archive.Write.
func Project(file []byte) ([]byte, error) {
	p, err := archive.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	var examples []project.Example
	for _, c := range p.Manifest.Classes {
		examples = append(examples, c.Examples...)
	}
	if len(examples) > Brief {
		return file, nil
	}
	var brief bytes.Buffer
	manifest := p.Manifest
	err = archive.Write(&brief, &manifest, archive.Contents{
		Picture: func(i int) (*imaging.Image, error) { return p.Picture(examples[i]) },
	})
	if err != nil {
		return nil, fmt.Errorf("the project without its embeddings: %w", err)
	}
	return brief.Bytes(), nil
}
