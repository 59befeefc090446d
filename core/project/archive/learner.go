package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project"
)

// Digest returns the SHA-256 of a weights file in hexadecimal, for learner.Options.Digest:
// embeddings in a file by the same network are used again.
func Digest(weights []byte) string {
	sum := sha256.Sum256(weights)
	return hex.EncodeToString(sum[:])
}

// Save writes a learner to a project file. It takes name, generator, times, extensions and class
// colors from about, which may be the manifest of an opened file, and the rest from the learner.
//
// # Errors
//
// A lean learner, which has no pixels, unless it takes features; a learner of features without a shape; the
// same errors as Write.
func Save(w io.Writer, l *learner.Learner, about project.Manifest) error {
	classes := l.Classes()
	var examples []learner.Example
	for _, c := range classes {
		for _, e := range c.Examples {
			if e.Seen == nil && !l.TakesFeatures() {
				return fmt.Errorf("example %q has no pixels: save with a learner that is not lean", e.ID)
			}
			examples = append(examples, e)
		}
	}
	m := about
	m.Kind = kindOf(l)
	m.Method = l.Method()
	m.Classes = describe(classes, about.Classes)
	info, pre := l.Info(), project.Preprocess(l.Preprocess())
	m.Network, m.Preprocess = &project.Network{Name: info.Name, Nodes: info.Nodes, Channels: info.Channels}, &pre
	contents := Contents{
		Picture:   func(i int) (*imaging.Image, error) { return examples[i].Seen, nil },
		Embedding: func(i int) ([]float32, error) { return examples[i].Embedding, nil },
	}
	switch {
	case l.TakesFeatures() && info.Nodes == 0:
		return errors.New("the learner's features have no shape: set their nodes and channels with Reshape, then save")
	case l.TakesFeatures():
		m.Preprocess = nil
		contents.Bare = func(i int) bool { return examples[i].Seen == nil }
	case l.Digest() == "":
		m.Network, contents.Embedding = nil, nil
	default:
		m.Network.SHA256, m.Network.Embedder = l.Digest(), m.Method.Embedder
	}
	return Write(w, &m, contents)
}

// describe returns the manifest's classes. A class keeps its color, or gets one by its index.
func describe(classes []learner.Class, before []project.Class) []project.Class {
	hues := map[string]int{}
	for _, c := range before {
		hues[c.ID] = c.Hue
	}
	list := make([]project.Class, len(classes))
	for i, c := range classes {
		hue, known := hues[c.ID]
		if !known {
			hue = i
		}
		list[i] = project.Class{ID: c.ID, Label: c.Label, Hue: hue, Disabled: c.Disabled, Nothing: c.Background}
		for _, e := range c.Examples {
			list[i].Examples = append(list[i].Examples, project.Example{ID: e.ID})
		}
	}
	return list
}

// Open returns a learner of the project in a file, created by on.WithMethod with the project's
// method; on does not change. It uses the embeddings in the file if this network would compute the
// same, otherwise it embeds the pictures. Manifest.Network.SHA256 is the Digest of the network to open
// the project with. A learner of features uses the features in the file, and
// takes its shape from the file if it has none.
//
// # Errors
//
// "bad-argument" for a project of another kind (pictures, sounds or features) or with a method that
// on cannot use; "wrong-network" for features of another name or shape; the errors of File for a
// file that cannot be read, and of File.Progress.
func Open(file *File, on *learner.Learner) (*learner.Learner, error) {
	m := &file.Manifest
	if kind := kindOf(on); m.Kind != kind {
		return nil, &learner.Error{Code: learner.CodeBadArgument,
			Message: fmt.Sprintf("the project %q is of kind %q, this learner's is %q: open it with one of its kind", m.Name, m.Kind, kind)}
	}
	l, err := on.WithMethod(m.Method)
	if err != nil {
		return nil, err
	}
	if err := setShape(m, l); err != nil {
		return nil, err
	}
	var known [][]float32
	if SameEmbeddings(m, l) {
		if known, err = file.Embeddings(); err != nil {
			return nil, err
		}
	}
	at := 0
	for _, c := range m.Classes {
		add := l.AddClass
		if c.Nothing {
			add = l.AddBackgroundClass
		}
		if err := add(c.ID, c.Label); err != nil {
			return nil, err
		}
		for _, e := range c.Examples {
			if file.Progress != nil {
				if err := file.Progress(at, m.Examples()); err != nil {
					return nil, err
				}
			}
			var embedding []float32
			if known != nil {
				embedding = known[at]
			}
			if n := m.Network; embedding != nil && !l.TakesFeatures() && (&embed.Set{N: n.Nodes, C: n.Channels, Data: embedding}).Flat() {
				embedding = nil // embed the picture again
			}
			if err := teach(l, file, c.ID, e, embedding); err != nil {
				return nil, fmt.Errorf("example %q: %w", e.ID, err)
			}
			at++
		}
		if err := l.EnableClass(c.ID, !c.Disabled); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// setShape sets the shape of a learner of features without one, and rejects other features.
func setShape(m *project.Manifest, l *learner.Learner) error {
	if !l.TakesFeatures() {
		return nil
	}
	n, info := m.Network, l.Info()
	if n.Name == info.Name && info.Nodes == 0 {
		return l.Reshape(learner.Shape{Name: n.Name, Nodes: n.Nodes, Channels: n.Channels})
	}
	if n.Name != info.Name || n.Nodes != info.Nodes || n.Channels != info.Channels {
		return &learner.Error{Code: learner.CodeWrongNetwork, Message: fmt.Sprintf(
			"the project %q has the features %q, %d×%d, this learner takes %q, %d×%d: open it with the network that made them",
			m.Name, n.Name, n.Nodes, n.Channels, info.Name, info.Nodes, info.Channels)}
	}
	return nil
}

// teach adds one example, with its embedding if known.
func teach(l *learner.Learner, file *File, class string, e project.Example, embedding []float32) error {
	picture := learner.Picture{Embedding: embedding, Seen: true}
	if e.Picture != "" || !l.TakesFeatures() {
		img, err := file.Picture(e)
		if err != nil {
			return err
		}
		picture.Data, picture.Width, picture.Height = img.Pix, img.Width, img.Height
	}
	_, err := l.AddExample(class, e.ID, picture)
	return err
}

// SameEmbeddings reports whether a learner would compute the same embeddings as in a project's
// file.
func SameEmbeddings(m *project.Manifest, l *learner.Learner) bool {
	n, info := m.Network, l.Info()
	if l.TakesFeatures() {
		return n != nil && n.Name == info.Name && n.Nodes == info.Nodes && n.Channels == info.Channels
	}
	return n != nil && n.SHA256 == l.Digest() && n.SHA256 != "" &&
		m.Preprocess != nil && *m.Preprocess == project.Preprocess(l.Preprocess()) &&
		n.Nodes == info.Nodes && n.Channels == info.Channels &&
		n.Embedder.Complete().Equal(l.Method().Embedder)
}

func kindOf(l *learner.Learner) string {
	switch {
	case l.TakesFeatures():
		return project.KindFeatures
	case l.IsAudio():
		return project.KindSound
	}
	return project.KindImage
}
