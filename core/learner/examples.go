package learner

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

// An example can leave the learner and come back without a pass through the
// network: as its pixels and its local embeddings.

// Embedding returns the local embeddings of an example, [Info.Nodes, Info.Channels],
// which the learner keeps. Errors: "unknown-example".
func (l *Learner) Embedding(exampleID string) ([]float32, error) {
	c, i := l.example(exampleID)
	if c == nil {
		return nil, fail(CodeUnknownExample, "there is no example %q: was it removed?", exampleID)
	}
	return c.examples[i].set.Data, nil
}

// Embed returns the local embeddings of a picture, with the regions that they come
// from. The picture is neither kept nor classified, and the result is the caller's.
//
// Errors: "bad-image", and "bad-argument" for an embedding that cannot be used.
func (l *Learner) Embed(picture Picture) (*embed.Set, error) {
	_, set, err := l.local(picture)
	return set, err
}

// RestoreExample teaches a class an example whose embedding is known, because a
// learner of the same network and embedder computed it from the same picture. It is
// AddExample with Picture.Embedding.
func (l *Learner) RestoreExample(classID, exampleID string, picture Picture, embedding []float32) (*imaging.Image, error) {
	picture.Embedding = embedding
	return l.AddExample(classID, exampleID, picture)
}

// Original is the square from which other embedders would cut crops, of the example
// added last: at most four times as wide as the network's input, nil where that is
// no larger than the example's own pixels. It allows pictures to be embedded again
// in other ways, and is valid until the next call.
func (l *Learner) Original() *imaging.Image { return l.original }

// keepOriginal finds the original of the picture that was read last.
func (l *Learner) keepOriginal(seen *imaging.Image) {
	l.original = nil
	if l.read == nil || l.TakesFeatures() {
		return
	}
	if square := (embed.Sampling{}).View(l.preprocess, l.read); square.Width > seen.Width {
		l.original = square
	}
}

// vacancy returns the class for a new example with the given id.
func (l *Learner) vacancy(classID, exampleID string) (*class, error) {
	c, err := l.class(classID)
	if err != nil {
		return nil, err
	}
	if exampleID == "" {
		return nil, fail(CodeBadArgument, "an example needs an id")
	}
	if owner, _ := l.example(exampleID); owner != nil {
		return nil, fail(CodeBadArgument, "an example with id %q exists already: choose another id", exampleID)
	}
	return c, nil
}

// regions returns the parts of a picture that its nodes come from: the positions of
// the network's map, or the crops.
func (l *Learner) regions(crops []embed.Crop) []embed.Region {
	if _, whole := l.embedder.(embed.FCN); whole {
		return l.positions
	}
	list := make([]embed.Region, len(crops))
	for i, crop := range crops {
		list[i] = crop.Region
	}
	return list
}
