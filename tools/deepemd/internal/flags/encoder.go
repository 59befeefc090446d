package flags

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Encoder is a learner without examples, with its network and embedder. Callers may change the
// preprocessing and the embedder.
type Encoder struct {
	Learner    *learner.Learner
	Network    embed.Encoder
	Kernels    string // of the network, or the card that computes it
	Embedder   embed.Embedder
	Preprocess imaging.Preprocess
	Threads    int // goroutines that read pictures for Extraction; 0 for all cores

	stderr io.Writer
	file   *weights.File
	remedy string // for a recording, if the network is for images
}

// Embed returns the local embeddings of pictures.
func (e *Encoder) Embed(pictures ...*imaging.Image) ([]*embed.Set, error) {
	return embed.Embed(e.Embedder, e.Network, e.Preprocess, pictures...)
}

// Extraction returns the settings for evaluate.Extract.
func (e *Encoder) Extraction(progress evaluate.Shown) evaluate.Extraction {
	return evaluate.Extraction{
		Encoder: e.Network, Embedder: e.Embedder, Preprocess: e.Preprocess, Threads: e.Threads, Progress: progress,
	}
}

// Embedding describes the embedder.
func (e *Encoder) Embedding() arrays.Embedding {
	return arrays.EmbeddingOf(e.Learner.Method().Embedder)
}

// Read reads and decodes a picture, or a recording if the network is for recordings. The other kind
// is an error.
func (e *Encoder) Read(path string) (picture *imaging.Image, err error) {
	raw, err := namedfile.Read(path, namedfile.MaxPicture)
	if err != nil {
		return nil, &Unread{err}
	}
	if err := e.Suits(path, raw); err != nil {
		return nil, err
	}
	if e.Learner.IsAudio() {
		picture, err = sound.Picture(raw)
	} else {
		picture, err = imaging.Decode(raw)
	}
	if err != nil {
		return nil, &Unread{fmt.Errorf("%s: %w", path, err)}
	}
	return picture, nil
}

// Restrict makes a set return an error for recordings if the network is for images, and for images
// if it is for recordings. It returns an error if the ranks of the context's group have different sets.
func (e *Encoder) Restrict(ctx context.Context, set *data.Set) error {
	set.Restrict(e.suits)
	return evaluate.SameImages(ctx, set, set.Classes())
}

func (e *Encoder) suits(raw []byte) error {
	name := e.file.Meta.Name
	switch audio := e.Learner.IsAudio(); {
	case !audio && sound.Sniff(raw):
		return fmt.Errorf("it is a recording, and the network %s is for pictures: %s", name, e.remedy)
	case audio && imaging.Sniff(raw):
		return fmt.Errorf("it is a picture, and the network %s is for recordings: give MP3 or WAV files, or use another network", name)
	}
	return nil
}

// Suits returns an Unread for a recording if the network is for images, or the other way round. It
// notes a color profile that is not applied.
func (e *Encoder) Suits(path string, raw []byte) error {
	if err := e.suits(raw); err != nil {
		return &Unread{fmt.Errorf("%s: %w", path, err)}
	}
	if why := imaging.Unconverted(raw); why != nil {
		fmt.Fprintf(e.stderr, "note: %s: the color profile is not applied: %v\n", verb.Line(path), why)
	}
	return nil
}

// AllRecordings reports whether all files are recordings. Pipes are not examined.
func AllRecordings(paths []string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool { return !sound.Sniff(namedfile.Head(path, sound.SniffSize)) })
}
