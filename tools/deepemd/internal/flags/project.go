package flags

import (
	"errors"
	"fmt"
	"image"
	"os"
	"strings"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/namedfile"
)

// OpenProject opens a project file. The function close closes it. Errors name the path and wrap the
// errors of package project.
func OpenProject(path string) (p *archive.File, close func(), err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, namedfile.Explain(err)
	}
	facts, err := file.Stat()
	switch {
	case err != nil:
	case facts.IsDir():
		err = errors.New("is a folder: give a file, *.deepemd")
	case !facts.Mode().IsRegular():
		err = errors.New("is a pipe or a device, and a project is read from its end: write it to a file")
	default:
		p, err = archive.Read(file, facts.Size())
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, func() { file.Close() }, nil
}

// ErrFeatures is the error for a project of features.
var ErrFeatures = errors.New("is a project of features, which another program computes: use it in that program")

// CheckPages returns an error for a method that the studio and shared pages do not have.
func CheckPages(m method.Method) error {
	if _, err := learner.CommonParts().Classifier(m, learner.Tuning{}); err != nil {
		text, _, _ := strings.Cut(err.Error(), " (Go:")
		return fmt.Errorf("the studio and shared pages lack the method of this project: %s", text)
	}
	return nil
}

// CheckProject reads all of an open project file. It returns the sizes of the images, and whether the file has
// embeddings. Errors wrap project.ErrDamaged.
func CheckProject(p *archive.File) (sizes map[image.Point]bool, embedded bool, err error) {
	sizes = map[image.Point]bool{}
	for _, c := range p.Manifest.Classes {
		for _, e := range c.Examples {
			if e.Picture == "" { // of features
				continue
			}
			picture, err := p.Picture(e)
			if err != nil {
				return nil, false, err
			}
			sizes[image.Pt(picture.Width, picture.Height)] = true
		}
	}
	embeddings, err := p.Embeddings()
	return sizes, embeddings != nil, err
}
